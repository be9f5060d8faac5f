/* tilework for C++17: tilework.h with strings and exceptions. MIT or Apache-2.0. */

#ifndef TILEWORK_HPP
#define TILEWORK_HPP

#include "tilework.h"

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilework {

/// Why a call has no result.
struct error : std::runtime_error {
    tw_status status;
    std::string code;
    /// The bytes of the text, or of `apply` the operands, that it is about.
    std::size_t begin, end;

    error(tw_status status, const tw_error &why)
        : std::runtime_error(why.message), status(status), code(why.code), begin(why.begin), end(why.end) {}
};

namespace detail {

/// The text that `call(buffer, capacity, length, error)` answers: a second call is only for a long one.
template <typename Call> std::string text(Call call) {
    std::string answer(256, '\0');
    for (;;) {
        std::size_t length = 0;
        tw_error why;
        // A string has room for a terminating 0 behind its characters.
        tw_status status = call(answer.data(), answer.size() + 1, &length, &why);
        bool longer = status == TW_SHORT && length > answer.size();
        if (status != TW_OK && !longer) throw error(status, why);
        answer.resize(length);
        if (!longer) return answer;
    }
}

/// Calls `call(result, error)`.
template <typename Call> tw_value value(Call call) {
    tw_value result;
    tw_error why;
    if (tw_status status = call(&result, &why); status != TW_OK) throw error(status, why);
    return result;
}

} // namespace detail

/// The value of an expression as text, or another part of the answer: `TW_CONDITION`, `TW_SOURCE`, ...
inline std::string eval(std::string_view expression, int part = TW_ANSWER) {
    return detail::text([=](auto... place) { return tw_eval(part, expression.data(), expression.size(), place...); });
}

/// The value of an expression as arrays.
inline tw_value read(std::string_view expression) {
    return detail::value([=](auto... place) { return tw_read(expression.data(), expression.size(), place...); });
}

/// Arrays as text.
inline std::string write(const tw_value &value) {
    return detail::text([&](auto... place) { return tw_write(&value, place...); });
}

/// A function of the language on arrays, by its name.
inline tw_value apply(std::string_view name, std::initializer_list<tw_value> operands) {
    return detail::value([=](auto... place) {
        return tw_apply(name.data(), name.size(), operands.begin(), operands.size(), place...);
    });
}

/// The offsets of `count` indices from `first` on.
inline std::vector<std::int64_t> offsets(const tw_value &layout, std::int64_t first, std::size_t count) {
    std::vector<std::int64_t> own(count);
    tw_error why;
    if (tw_status status = tw_offsets(&layout, first, count, own.data(), &why); status != TW_OK) throw error(status, why);
    return own;
}

/// The functions of the language, a line each.
inline std::string functions() { return detail::text([](auto... place) { return tw_functions(place...); }); }

} // namespace tilework

#endif
