//! What README, COMPARE and CHANGELOG promise. Each promise has a row with the tests that fail when it is false; each number, what
//! counts it; each list, what it lists. Whoever changes a sentence there changes its row here.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tilework::{Layout, MAX_LEAVES};
use tilework_expr::{Form, Session};
use tilework_hardware::atom::{Atom, atoms};

const README: &[(&str, &[&str])] = &[
    (
        "`tilework tune` measures the caches and the memory of this machine once",
        &["crates/tilework-cli/tests/run.rs::what_tune_keeps_is_used"],
    ),
    ("This evaluates an expression", &[".ci/program", "crates/tilework-cli/tests/commands.rs::commands"]),
    ("This runs all tests", &[".ci/test"]),
    (
        "the functions have CuTe's names",
        &[
            "crates/tilework-expr/tests/explanations.rs::a_function_tells_all_there_is_to_know",
            "crates/tilework-expr/tests/language.rs::what_kernels_are_written_with_is_read",
        ],
    ),
    (
        "DSL, PyCuTe or the paper print can be pasted in",
        &[
            "crates/tilework-expr/tests/printed.rs::every_value_has_the_offsets_that_cute_prints",
            "crates/tilework-expr/tests/corpus.rs::what_a_newcomer_pastes",
        ],
    ),
    (
        "finds every layout in a text",
        &[
            "crates/tilework-expr/tests/printed.rs::every_layout_of_a_tiled_mma_and_copy_is_found_with_its_label",
            "crates/tilework-expr/tests/printed.rs::a_log_is_read_for_its_layouts",
        ],
    ),
    (
        "Results can be pasted into a kernel",
        &["crates/tilework-expr/tests/export.rs::what_is_written_for_cute_is_the_layout", ".ci/hardware"],
    ),
    (
        "answers each line of standard input with one line",
        &["crates/tilework-cli/tests/promises.rs::a_line_for_each_line"],
    ),
    (
        "prints a completion script for the shell",
        &["crates/tilework-cli/tests/completions.rs::a_shell_knows_the_functions"],
    ),
    (
        "which rule of the algebra leads to a result",
        &["crates/tilework-expr/tests/explanations.rs::every_function_is_explained"],
    ),
    (
        "`draw` makes a picture",
        &[
            "crates/tilework-draw/tests/snapshots.rs::svg_pictures",
            "crates/tilework-cli/tests/promises.rs::commands_of_the_pages_run",
        ],
    ),
    (
        "The extension of the file name chooses the format",
        &[
            "crates/tilework-draw/tests/pictures.rs::pdflatex_compiles_the_documents",
            "crates/tilework-draw/tests/snapshots.rs::html_pages",
            "crates/tilework-cli/tests/draw.rs::a_pdf_is_one",
        ],
    ),
    (
        "`--color-by` chooses what the colours stand for",
        &[
            "crates/tilework-expr/tests/pictures.rs::rows_and_columns_of_a_swizzled_layout_are_those_before_the_swizzle",
        ],
    ),
    (
        "`--as` chooses what is drawn",
        &["crates/tilework-expr/tests/pictures.rs::every_place_names_the_threads_that_lead_to_it"],
    ),
    ("reproduces all figures and tables of the paper", &["crates/tilework-cli/tests/gallery.rs::the_paper"]),
    (
        "shows the value of an expression, its picture and its explanation while you type",
        &["web/test/pages/explorer.test.ts::what is typed is seen: value, picture, facts and reasons"],
    ),
    (
        "give names values by sliders and see where a condition fails",
        &[
            "web/test/pages/explorer.test.ts::names have sliders, conditions hold or fail, and wrong offsets are marked",
        ],
    ),
    (
        "The address of the page holds the whole state",
        &["web/test/pages/explorer.test.ts::a link holds everything, and opens as it was"],
    ),
    ("makes it one file", &["web/test/unit/page.test.ts::there is no other file, and no address of one"]),
    (
        "serves the page on this machine",
        &["crates/tilework-cli/tests/explore.rs::the_page_is_served_on_this_machine_alone"],
    ),
    (
        "Every operation is a `const fn`",
        &["crates/tilework-cli/tests/promises.rs::every_operation_is_a_constant"],
    ),
    (
        "no heap, no dependency, no unsafe code, `no_std`",
        &[".ci/no-std", "crates/tilework-cli/tests/promises.rs::the_core_needs_nothing"],
    ),
    (
        "An operation on it that has no result is then a compile error",
        &["crates/tilework/tests/compile_errors.rs::the_compiler_says_what_the_run_time_error_says"],
    ),
    (
        "copies, multiplies and reduces tensors of any layouts",
        &[
            "crates/tilework-kernels/tests/harness/copy.rs::copies",
            "crates/tilework-kernels/tests/harness/gemm.rs::products",
            "crates/tilework-kernels/tests/harness/elementwise.rs::reductions",
        ],
    ),
    (
        "There are contractions in Einstein notation, convolutions, maps and reductions too",
        &[
            "crates/tilework-kernels/tests/harness/contract.rs::contractions",
            "crates/tilework-kernels/tests/harness/conv.rs::convolutions",
            "crates/tilework-kernels/tests/harness/elementwise.rs::maps",
        ],
    ),
    ("plans a run, checks its result and measures it", &["crates/tilework-cli/tests/run.rs::copies"]),
    (
        "the instructions of NVIDIA, AMD, Intel and Arm",
        &[".ci/hardware", "crates/tilework-hardware/tests/isa/mma.rs::every_row_multiplies"],
    ),
    (
        "a swizzle that is proved to be the smallest",
        &["crates/tilework-hardware/tests/swizzle.rs::what_is_found_and_what_is_not_is_so_by_enumeration"],
    ),
    (
        "and the condition under which it is right",
        &[
            "crates/tilework/tests/symbolic/composition.rs::instances_of_coordinates_are_the_static_composition",
            "crates/tilework-python/tests/test_symbolic.py::test_instances",
            "crates/tilework-expr/tests/symbolic.rs::instances_are_the_static_answers",
        ],
    ),
    (
        "writes the forms of JAX, XLA, Shardy and PyTorch",
        &[
            "crates/tilework-sharding/tests/enumeration.rs::forms_that_say_a_sharding_are_read_as_the_same",
            "crates/tilework-python/tests/test_sharding.py::test_shardings_are_those_of_jax",
        ],
    ),
    (
        "plans what moves from one to another",
        &[
            "crates/tilework-sharding/tests/enumeration.rs::messages_bring_each_element_once_and_no_more_than_is_missing",
        ],
    ),
    (
        "the explorer shows both",
        &[
            "web/test/pages/sharding.test.ts::a button opens it, lines are answered as they are typed, and the address has them",
            "web/test/unit/sharding.test.ts::every case of the corpus",
        ],
    ),
    (
        "From Python, JAX or PyTorch run the plans",
        &[
            "crates/tilework-python/tests/test_jax_engine.py::test_redistributions_bring_every_element_and_move_what_the_plan_says",
            "crates/tilework-python/tests/test_torch_engine.py::test_four_processes",
        ],
    ),
    (
        "an einsum of sharded arrays chooses what moves",
        &[
            "crates/tilework-sharding/tests/contraction.rs::no_way_by_blocks_moves_less_than_the_one_that_is_chosen",
            "crates/tilework-python/tests/test_jax_engine.py::test_products_are_those_of_numpy",
        ],
    ),
    (
        "tensors over arrays of NumPy and PyTorch without a copy",
        &[
            "crates/tilework-python/tests/test_tensor.py::test_there_and_back",
            "crates/tilework-python/tests/test_torch.py::test_torch",
        ],
    ),
    ("builds and installs it", &[".ci/python", "crates/tilework-python/tests/test_docs.py::test_pages"]),
    (
        "stands in for CUTLASS's pycute",
        &["crates/tilework-python/tests/pycute/test_originals.py::test_layout"],
    ),
    (
        "stands in for PyCuTe",
        &[
            "crates/tilework-python/tests/pycute_nvlabs/test_contracts.py::test_every_name_is_there",
            "crates/tilework-python/tests/pycute_nvlabs/test_postconditions.py::test_composition",
        ],
    ),
    (
        "only where those are wrong",
        &[
            "crates/tilework-python/tests/pycute/test_differential.py::test_composition",
            "crates/tilework-python/tests/pycute_nvlabs/test_nvlabs_drop_in.py::test_page",
        ],
    ),
    (
        "is returned whenever one exists",
        &[
            "crates/tilework/tests/properties/composition.rs::composition_of_all_tiny_layouts",
            "crates/tilework/tests/properties/composition.rs::composition_with_a_rational_left_operand",
            "crates/tilework/tests/properties/composition.rs::composition_with_a_coordinate_left_operand",
            "crates/tilework/tests/properties/huge.rs::composition_of_huge_random_layouts",
        ],
    ),
    (
        "the error names the condition, the leaf and the numbers",
        &["crates/tilework/tests/properties/composition.rs::composition_of_random_pairs"],
    ),
    (
        "Numbers beyond 64 bits are an error",
        &[
            "crates/tilework/tests/properties/limits.rs::evaluation_overflows_only_where_the_offset_does_not_fit",
        ],
    ),
    (
        "Strides may be integers, fractions",
        &["crates/tilework-expr/tests/language.rs::literals_are_those_of_the_notation"],
    ),
];

const COMPARE: &[(&str, &[&str])] = &[
    (
        "y, what all of them print",
        &["crates/tilework-expr/tests/printed.rs::every_value_has_the_offsets_that_cute_prints"],
    ),
    (
        "the largest right inverse",
        &["crates/tilework/tests/properties/inverse_sweep.rs::right_inverse_of_every_small_layout"],
    ),
    (
        "| nullspace |",
        &["crates/tilework/tests/properties/inverse_sweep.rs::nullspace_of_every_small_layout"],
    ),
    (
        "| common layout, common vector |",
        &["crates/tilework/tests/properties/inverse_sweep.rs::common_layout_of_every_small_pair"],
    ),
    (
        "| upcast, downcast, recast |",
        &["crates/tilework/tests/properties/recast.rs::upcast_of_all_small_layouts"],
    ),
    (
        "| sum of layouts |",
        &["crates/tilework/tests/properties/pointwise.rs::layout_add_is_the_sum_at_every_coordinate"],
    ),
    ("| bank conflicts |", &["crates/tilework-hardware/tests/banks/main.rs::reports_are_what_counting_says"]),
    (
        "| the same code at compile time and at run time |",
        &["crates/tilework/tests/const_corpus.rs::every_case_of_the_corpus_is_a_constant"],
    ),
    (
        "fail at the first result that is wrong",
        &["crates/tilework/tests/properties/composition.rs::composition_of_random_pairs"],
    ),
    (
        "A left inverse of small layouts is refused only where there is none",
        &["crates/tilework/tests/properties/left_inverse.rs::left_inverse_of_every_small_layout"],
    ),
    (
        "Where the layouts are known at compile time, tilework's are constants as well",
        &["crates/tilework/tests/assembly.rs::kernels_over_static_layouts_are_the_kernels_written_by_hand"],
    ),
];

const CHANGELOG: &[(&str, &[&str])] = &[
    ("Error codes (`Error::code`) and the text notation are part of the interface", &[".ci/public-api"]),
    (
        "The image without going through it",
        &["crates/tilework/tests/properties/image.rs::predicates_of_the_image"],
    ),
    (
        "XOR layouts as F2 matrices",
        &["crates/tilework/tests/properties/xor.rs::coalesced_is_the_least_and_one_for_each_function"],
    ),
    (
        "are functions of the language",
        &["crates/tilework-expr/tests/public_operations.rs::every_public_operation_is_a_function"],
    ),
    (
        "`LinearLayout` for Triton and Gluon, which is read as well",
        &["crates/tilework-expr/tests/export.rs::linear_layouts_are_read_again"],
    ),
    (
        "`Value::Tensor` keeps the width of the elements",
        &["crates/tilework-expr/tests/printed.rs::a_tensor_keeps_the_width_of_its_elements"],
    ),
    (
        "Arithmetic on numbers",
        &["crates/tilework-expr/tests/language.rs::arithmetic_on_numbers_is_arithmetic"],
    ),
    (
        "predicated ragged tiles",
        &["crates/tilework/tests/properties/tensor.rs::ragged_tiles_cover_a_matrix_once"],
    ),
    (
        "`explain` has an explanation for each of them",
        &["crates/tilework-expr/tests/explanations.rs::every_function_is_explained"],
    ),
    (
        "on any layouts, swizzled ones among them",
        &["crates/tilework-kernels/tests/places.rs::swizzled_layouts_begin_anywhere"],
    ),
    (
        "with the metadata of sparse instructions",
        &["crates/tilework-hardware/tests/isa/mma.rs::metadata_and_scales"],
    ),
    (
        "legal shared operands with their descriptors",
        &["crates/tilework-hardware/tests/operand/main.rs::descriptors_say_where_elements_are"],
    ),
    (
        "a page from nothing to a complete tiled GEMM",
        &["crates/tilework-cli/tests/gallery.rs::a_complete_gemm"],
    ),
    (
        "`tilework.hardware` in Python",
        &["crates/tilework-python/tests/test_hardware.py::test_the_command_line_says_the_same"],
    ),
    (
        "every operation of a text with its operands and value",
        &[
            "crates/tilework-expr/tests/explanations.rs::a_trace_goes_from_the_inside_out_and_ends_where_it_fails",
        ],
    ),
    ("type stubs", &["crates/tilework-python/tests/test_stubs.py::test_stubs_are_the_module"]),
    (
        "the instructions that the kernels use, chosen by hand",
        &["crates/tilework-cli/tests/run.rs::the_instructions_are_chosen"],
    ),
    ("wrote over the gaps", &["crates/tilework-kernels/tests/harness/copy.rs::pieces_with_every_gap"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: impl AsRef<Path>) -> String {
    let path = root().join(file);
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace("\r\n", "\n")
}

/// A text with one space for all that is white, as a reader has it.
fn flowing(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether there is a test of this name, `file::name`, or a step, `file`.
fn is_there(test: &str) -> bool {
    let Some((file, name)) = test.split_once("::") else { return root().join(test).is_file() };
    let text = read(file);
    [format!("fn {name}("), format!("def {name}("), format!("test(\"{name}\"")]
        .iter()
        .any(|form| text.contains(form))
}

#[test]
fn every_promise_has_its_tests() {
    for (file, promises) in [("README.md", README), ("COMPARE.md", COMPARE), ("CHANGELOG.md", CHANGELOG)] {
        let text = flowing(&read(file));
        for (sentence, tests) in promises {
            assert!(text.contains(sentence), "{file} no longer says: {sentence}");
            assert!(!tests.is_empty(), "nothing tests: {sentence}");
            for test in *tests {
                assert!(is_there(test), "{file}: {sentence}: there is no {test}");
            }
        }
    }
}

/// Each paragraph of README that begins in bold or is below "What it does" has a promise that is tested, or an example that runs.
#[test]
fn every_paragraph_of_readme_is_tested() {
    let readme = read("README.md");
    let (_, body) = readme.split_once("## What it does").unwrap();
    let (body, _) = body.split_once("## Where to go on").unwrap();
    for (at, part) in body.split("```").step_by(2).flat_map(|prose| prose.split("\n\n")).enumerate() {
        let part = flowing(part);
        let words = part.split(' ').filter(|word| word.chars().all(char::is_alphabetic)).count();
        let shows = part.ends_with(':') || part.starts_with("![");
        assert!(
            words < 12 || shows || README.iter().any(|(sentence, _)| part.contains(sentence)),
            "paragraph {at} of README promises what no row here tests: {part}"
        );
    }
}

#[test]
fn numbers_are_what_there_is() {
    let manifest = read("Cargo.toml");
    let rust = manifest.split_once("rust-version = \"").unwrap().1.split('"').next().unwrap();
    let pyproject = read("crates/tilework-python/pyproject.toml");
    let python = pyproject.split_once("requires-python = \">=").unwrap().1.split('"').next().unwrap();
    let chapters = std::fs::read_dir(root().join("crates/tilework/src/tutorial")).unwrap();
    let chapters = chapters
        .filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().starts_with("chapter"))
        .count();
    let chapters = ["eight", "nine", "ten", "eleven", "twelve"][chapters - 8];
    let corpus = |folder: &str| {
        let files = std::fs::read_dir(root().join(folder)).unwrap();
        files
            .filter(|file| file.as_ref().unwrap().path().extension().is_some_and(|end| end == "jsonl"))
            .count()
    };
    let corpus = ["four", "five", "six", "seven"][corpus("corpus") + corpus("corpus/language") - 4];
    let copies = atoms().filter(|atom| matches!(atom, Atom::Copy(_))).count();
    let multiplies = atoms().count() - copies;
    let pinned = |file: &str, package: &str| {
        let step = read(file);
        step.split_once(&format!("{package}=="))
            .unwrap()
            .1
            .split_whitespace()
            .next()
            .unwrap()
            .trim_end_matches(".0")
            .to_owned()
    };
    for (file, text) in [
        ("README.md", format!("[Rust](https://rustup.rs) {rust} or later")),
        ("CONTRIBUTING.md", format!("Rust {rust} or later")),
        ("CONTRIBUTING.md", format!("Python {python} or later")),
        ("crates/tilework-python/README.md", format!("Python {python} or later")),
        ("crates/tilework-python/README.md", format!("all CPython from {python} on")),
        ("README.md", format!("at most {MAX_LEAVES} leaves")),
        ("ARCHITECTURE.md", format!("**The capacity** is {MAX_LEAVES} leaves")),
        ("ARCHITECTURE.md", format!("A layout is {} bytes", size_of::<Layout>())),
        ("ARCHITECTURE.md", format!("The corpus has {corpus} files")),
        ("CHANGELOG.md", format!("A tutorial in {chapters} chapters")),
        ("crates/tilework/README.md", format!("in {chapters} short chapters")),
        ("COMPARE.md", format!("{multiplies} MMA, {copies} copy")),
        ("COMPARE.md", format!("**tensor-layouts** ({}", pinned(".ci/hardware", "tensor-layouts"))),
        ("COMPARE.md", format!("within CUTLASS ({}.0)", pinned(".ci/python", "nvidia-cutlass"))),
    ] {
        assert!(flowing(&read(file)).contains(&text), "{file} does not say: {text}");
    }
}

#[test]
fn lists_are_whole() {
    let readme = read("README.md");
    let forms = Form::ALL.map(|form| format!("`{}`", form.name())).join(", ").replacen('`', "`--as ", 1);
    assert!(flowing(&readme).contains(&forms), "{forms}");
    let forms = Form::ALL
        .map(|form| format!("`\"{}\"`", form.name()))
        .join(", ")
        .replacen("`\"", "`layout.to(\"", 1)
        .replacen("\"`", "\")`", 1);
    assert!(read("crates/tilework-python/README.md").contains(&forms), "{forms}");
    let crates = |text: &str| -> BTreeSet<String> {
        let names = text.match_indices("crates/").map(|(at, _)| {
            text[at + 7..].split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap().to_owned()
        });
        names.filter(|name| !name.is_empty()).collect()
    };
    let members = read("Cargo.toml").lines().find(|line| line.starts_with("members")).map(crates).unwrap();
    assert_eq!(crates(readme.split_once("| crate | |").unwrap().1), members);
    let help = Command::new(env!("CARGO_BIN_EXE_tilework")).arg("help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = "eval show explain functions copy gemm contract atoms atom banks sectors swizzle operand cover vector completions man";
    for command in commands.split(' ') {
        assert!(
            read("CHANGELOG.md").contains(&format!("`{command}"))
                || read("CHANGELOG.md").contains(&format!("`tilework {command}")),
            "{command}"
        );
        assert!(help.lines().any(|line| line.trim_start().starts_with(&format!("{command} "))), "{command}");
    }
}

/// The lines of the fences of a language.
fn fenced(text: &str, language: &str) -> Vec<String> {
    let fences = text.split("```").skip(1).step_by(2);
    fences
        .filter_map(|fence| fence.strip_prefix(language))
        .flat_map(|fence| fence.lines().map(str::to_owned))
        .collect()
}

/// What README shows as `sh`, without its output, ends well; what runs kernels is planned.
#[test]
fn commands_of_the_pages_run() {
    let folder = std::env::temp_dir().join(format!("tilework-pages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut lines = fenced(&read("README.md"), "sh\n");
    lines.extend(
        fenced(&read("crates/tilework-cli/README.md"), "console\n")
            .iter()
            .filter_map(|line| line.strip_prefix("$ ").map(str::to_owned)),
    );
    let mut ran = 0;
    for line in lines.iter().filter(|line| line.starts_with("tilework ") && !line.contains(" > ")) {
        let mut arguments: Vec<&str> = Vec::new();
        for (at, part) in line.split('\'').enumerate() {
            if at % 2 == 1 { arguments.push(part) } else { arguments.extend(part.split_whitespace()) }
        }
        match arguments[1] {
            // Only with the page.
            "explore" => continue,
            "copy" | "gemm" | "contract" => arguments.push("--plan"),
            _ => {}
        }
        let output = Command::new(env!("CARGO_BIN_EXE_tilework"))
            .args(&arguments[1..])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        ran += 1;
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(ran >= 7, "{ran} commands");
}

/// `eval -` has one line for each, whatever is in it.
#[test]
fn a_line_for_each_line() {
    let lines: [&[u8]; 12] = [
        b"(4,8):(8,1)\r",
        b"",
        b"# a comment",
        b"let A = 4:1",
        b"A o 2",
        b"4:1; 8:1",
        b"(4,8):(8,1",
        b"\xff\xfe",
        b"a\0b",
        "\u{feff}4:1 ∘ 2:1".as_bytes(),
        b"((((",
        b"image((64,64))",
    ];
    for more in [&[][..], &["--json"], &["--as", "cpp"]] {
        let output = answers(&[&["eval", "-"], more].concat(), &lines.join(&b'\n')).stdout;
        let output = String::from_utf8(output).unwrap();
        assert_eq!(output.lines().count(), lines.len(), "{more:?}\n{output}");
        assert!(more.contains(&"--as") || output.lines().nth(9).unwrap().contains("2:1"), "{output}");
    }
}

/// Also without a command, where a line may be something else than text.
#[test]
fn a_line_that_is_no_text_is_an_error_and_the_next_has_its_answer() {
    let output = answers(&[], b"let A = 4:1\n\xff\xfe\n\xef\xbb\xbfA\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "A = 4:1\n4:1\n");
    assert!(String::from_utf8(output.stderr).unwrap().contains("the line is not UTF-8"));
    assert_eq!(output.status.code(), Some(1));
}

/// What the program says to its input.
fn answers(arguments: &[&str], input: &[u8]) -> Output {
    use std::process::Stdio;
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilework"));
    program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().unwrap();
    program.stdin.take().unwrap().write_all(input).unwrap();
    program.wait_with_output().unwrap()
}

/// A public operation that is no `const fn` takes a tuple as Rust writes it, and has a twin that takes a value, or is a trait's.
#[test]
fn every_operation_is_a_constant() {
    let list = read("docs/public-api/tilework.txt");
    let of_traits = ["as_layout", "to_any", "to_value", "fmt", "from_str", "into_htuple"];
    let mut others = Vec::new();
    for line in list.lines() {
        let Some(path) = line.strip_prefix("pub fn tilework::Layout::") else { continue };
        let name = path.split(['(', '<']).next().unwrap();
        let twin = format!("pub const fn tilework::Layout::const_{name}(");
        let takes_a_tuple = path.contains("impl tilework::IntoHTuple");
        if !of_traits.contains(&name) && !(takes_a_tuple && (list.contains(&twin) || name == "of")) {
            others.push(name);
        }
    }
    assert!(list.lines().filter(|line| line.starts_with("pub const fn tilework::Layout::")).count() > 60);
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn the_core_needs_nothing() {
    let manifest = read("crates/tilework/Cargo.toml");
    let dependencies =
        manifest.split_once("[dependencies]").map_or("", |(_, rest)| rest.split('[').next().unwrap());
    assert_eq!(dependencies.trim(), "");
    let library = read("crates/tilework/src/lib.rs");
    assert!(library.contains("\n#![no_std]\n") && library.contains("#![forbid(unsafe_code)]"));
}

/// What the changes call fixed has a value.
#[test]
fn what_was_fixed_is_decided() {
    let changes = read("CHANGELOG.md");
    let fixed = changes.split_once("### Fixed").unwrap().1.split("###").next().unwrap();
    let mut decided = 0;
    for expression in fixed.split('`').skip(1).step_by(2).map(flowing) {
        let is_call = expression.split_once('(').is_some_and(|(name, _)| {
            let name = name.split('<').next().unwrap_or(name);
            name.len() > 1 && tilework_expr::find(name).is_some()
        });
        if is_call {
            let value = Session::new().evaluate(&expression).map(|value| value.to_string());
            assert!(value.is_ok(), "{expression}: {value:?}");
            decided += 1;
        }
    }
    assert!(decided >= 7, "{decided} expressions");
}
