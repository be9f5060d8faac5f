// A layout in arrays; then each line of standard input is evaluated.

#include <iostream>
#include <string>
#include <tilework.hpp>

int main() {
    // The elements of thread 5, when 32 threads share a tile of 8 x 8 elements, two for each.
    tw_value shared = tilework::apply("composition", {tilework::read("(8,8):(8,1)"), tilework::read("((4,8),2):((16,1),8)")});
    auto offsets = tilework::offsets(shared, 0, 64);
    std::cout << "# thread 5 has the offsets " << offsets[5] << " and " << offsets[5 + 32] << '\n';
    if (tilework::write(shared) != "((4,8),2):((2,8),1)" || offsets[5] != 10 || offsets[5 + 32] != 11) return 1;

    // Sizes that are known at launch: an answer with its condition, and the source text of an offset.
    std::string layout = "assume ld >= M; (M,K):(1,ld)";
    if (tilework::eval(layout + " o 128:1", TW_CONDITION) != "ld == M or M >= 128") return 1;
    std::cout << "# " << tilework::eval("emit (M,K):(1,ld) as c") << '\n';

    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << tilework::eval(line) << '\n';
        } catch (const tilework::error &error) {
            std::cout << "! " << error.code << '\n';
        }
    }
}
