//! What pictures of expressions show, against plain evaluation.

use std::collections::HashMap;
use tilework::{HTuple, Layout, Pattern};
use tilework_draw::{Cell, ColorBy, Ground, Options, Scene};
use tilework_expr::{Aspect, Look, Session};

/// An aspect, and what is chosen besides.
fn with(aspect: Aspect, choose: impl FnOnce(&mut Look)) -> Look {
    let mut look = Look::of(aspect);
    choose(&mut look);
    look
}

fn picture(text: &str, look: &Look) -> Scene {
    Session::new().picture(text, look).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn seen(text: &str, aspect: Aspect) -> Scene {
    picture(text, &Look::of(aspect))
}

fn cells(scene: &Scene) -> impl Iterator<Item = &Cell> {
    scene.panels.iter().flat_map(|panel| &panel.cells)
}

fn layout(text: &str) -> Layout {
    text.parse().expect("a layout")
}

#[test]
fn every_place_names_the_threads_that_lead_to_it() {
    let cases = [
        ("((4,8),2):((16,1),8)", "(8,8)"),
        ("(4,3):(3,1)", "12"),
        ("(4,3):(0,1)", "3"),
        ("(2,3):(5,-1)", "(4,2)"),
        ("32:2", "(8,8)"),
    ];
    for (text, tile) in cases {
        let tiled = layout(text);
        let threads = tiled.mode(0).expect("a mode").size();
        let look = with(Aspect::Threads, |look| look.tile = Some(tile.parse().expect("a shape")));
        for cell in cells(&picture(text, &look)) {
            let owners: Vec<i64> = (0..tiled.size()).filter(|&index| tiled.at(index) == cell.index).collect();
            let mut expected = Vec::new();
            if let Some(first) = owners.first() {
                expected.extend([format!("T{}", first % threads), format!("V{}", first / threads)]);
            }
            if owners.len() > 1 {
                expected.push(format!("+{}", owners.len() - 1));
            }
            assert_eq!(cell.lines, expected, "{text} at {}", cell.index);
        }
    }
}

#[test]
fn coordinates_lead_to_their_places() {
    let scene = seen("((4,8),2):((2@1,1@0),1@1)", Aspect::Threads);
    assert_eq!((scene.panels[0].rows, scene.panels[0].columns), (8, 8));
    let by_number = picture(
        "((4,8),2):((16,1),8)",
        &with(Aspect::Threads, |look| look.tile = Some("(8,8)".parse().expect("a shape"))),
    );
    let lines = |scene: &Scene| cells(scene).map(|cell| cell.lines.clone()).collect::<Vec<_>>();
    assert_eq!(lines(&scene), lines(&by_number));
}

#[test]
fn what_lies_outside_the_tile_is_said() {
    let look = with(Aspect::Threads, |look| look.tile = Some("(2,2)".parse().expect("a shape")));
    assert_eq!(picture("(4,2):(1,4)", &look).caption, "4 of 8 values lie outside the tile (2,2)");
}

#[test]
fn values_have_a_row_for_each_thread() {
    let scene = seen("(4,3):(3,1)", Aspect::Values);
    for cell in cells(&scene) {
        assert_eq!(cell.ground, Ground::Class((cell.index % 4) as usize));
        assert_eq!(cell.note, format!("thread {} value {}", cell.index % 4, cell.index / 4));
    }
    assert_eq!(seen("8:1", Aspect::Values).panels[0].rows, 8);
}

/// The classes of a picture by what decides them.
fn classes<K: std::hash::Hash + Eq>(scene: &Scene, key: impl Fn(&Cell) -> K) -> HashMap<K, Ground> {
    let mut classes = HashMap::new();
    for cell in cells(scene) {
        let ground = *classes.entry(key(cell)).or_insert(cell.ground);
        assert_eq!(ground, cell.ground, "index {}", cell.index);
    }
    classes
}

#[test]
fn a_composition_marks_the_elements_that_it_takes() {
    for (left, right) in [
        ("(8,16):(20,1)", "<4:1,8:2>"),
        ("(8,16):(20,1)", "(4,8)"),
        ("(8,16):(20,1)", "<(2,2):(1,4),_>"),
        ("(6,2):(8,2)", "(4,3):(3,1)"),
    ] {
        let text = format!("{left} o {right}");
        let taken: Layout =
            Session::new().evaluate(&text).expect("a value").to_string().parse().expect("a layout");
        let offsets: Vec<i64> = (0..taken.size()).map(|index| taken.at(index)).collect();
        for cell in cells(&seen(&text, Aspect::Tiles)) {
            let inside = offsets.contains(&layout(left).at(cell.index));
            assert_eq!(cell.ground != Ground::Blank, inside, "{text} at {}", cell.index);
        }
    }
}

#[test]
fn a_divide_gives_every_element_the_colour_of_its_tile() {
    for name in ["logical_divide", "zipped_divide", "tiled_divide", "flat_divide"] {
        let scene = seen(&format!("{name}((8,16):(20,1), <4:1,8:2>)"), Aspect::Tiles);
        let tile = |cell: &Cell| (cell.index % 8 / 4, cell.index / 8 % 2);
        let classes = classes(&scene, tile);
        let mut grounds: Vec<Ground> = classes.into_values().collect();
        grounds.sort_by_key(|ground| format!("{ground:?}"));
        assert_eq!(grounds, [0, 1, 3, 4].map(Ground::Class), "{name}");
    }
}

#[test]
fn a_product_gives_every_copy_of_the_tile_its_colour() {
    for (name, key) in [
        (
            "blocked_product",
            (|cell: &Cell| (cell.index % 6 / 3, cell.index / 6 / 4)) as fn(&Cell) -> (i64, i64),
        ),
        ("raked_product", |cell: &Cell| (cell.index % 6 % 2, cell.index / 6 % 5)),
    ] {
        let scene = seen(&format!("{name}((3,4):(4,1), (2,5):(1,2))"), Aspect::Tiles);
        for ((row, column), ground) in classes(&scene, key) {
            assert_eq!(ground, Ground::Class((row + 3 * column) as usize), "{name}");
        }
    }
    let scene = seen("logical_product((3,4):(4,1), (2,5):(1,2))", Aspect::Tiles);
    classes(&scene, |cell| cell.index / 12);
    classes(&seen("(2,2):(1,2) * <2,2>", Aspect::Tiles), |cell| (cell.index % 4 / 2, cell.index / 8));
    classes(&seen("zipped_product((2,2):(1,2), <2,2>)", Aspect::Tiles), |cell| cell.index / 4);
    // A tile that repeats an offset is still a tile.
    classes(&seen("blocked_product((2,2):(1,0), (2,2):(1,2))", Aspect::Tiles), |cell| {
        (cell.index % 4 / 2, cell.index / 8)
    });
    let scene = seen("blocked_product((3,4):(4,1), (2,5):(1,2))", Aspect::Operation);
    let grid = &scene.panels[1].cells;
    assert!(
        grid.iter()
            .all(|cell| cell.ground == Ground::Class((cell.index % 2 + 3 * (cell.index / 2)) as usize))
    );
}

#[test]
fn a_slice_is_framed_in_its_whole() {
    let whole = layout("((3,2),((2,3),2)):((4,1),((2,15),100))");
    for pattern in [
        "(2,_)",
        "(_,5)",
        "(2,((0,_),_))",
        "((_,1),(_,0))",
        "((_,0),((0,_),1))",
        "((1,_),((_,0),_))",
        "(2,5)",
    ] {
        let text = format!("({whole}){pattern}");
        let Ok(scene) = Session::new().picture(&text, &Look::of(Aspect::Slice)) else {
            assert_eq!(pattern, "(2,5)");
            continue;
        };
        let slice = whole.slice(pattern.parse::<Pattern>().expect("a pattern")).expect("a slice");
        let start = slice.offset().leaves()[0].numerator();
        let offsets: Vec<i64> =
            (0..slice.layout().size()).map(|index| start + slice.layout().at(index)).collect();
        let panel = &scene.panels[0];
        for (at, cell) in panel.cells.iter().enumerate() {
            let inside = offsets.contains(&whole.at(cell.index));
            assert_eq!(panel.highlights.contains(&at), inside, "{text} at {}", cell.index);
        }
    }
}

#[test]
fn common_vectors_are_at_the_same_coordinates() {
    let scene =
        seen("common_vector(((2,2),(4,2)):((1,4),(8,2)), ((2,2),(4,2)):((1,8),(16,2)))", Aspect::Common);
    let marked = |panel: usize| {
        let panel = &scene.panels[panel];
        let mut marked: Vec<(i64, String)> = panel
            .highlights
            .iter()
            .map(|&at| (panel.cells[at].index, panel.cells[at].offset.clone()))
            .collect();
        marked.sort();
        marked
    };
    assert_eq!(marked(0), marked(1));
    let mut offsets: Vec<String> = marked(0).into_iter().map(|(_, offset)| offset).collect();
    offsets.sort();
    assert_eq!(offsets, ["0", "1", "2", "3"]);
}

#[test]
fn banks_are_offsets_in_words() {
    let look = with(Aspect::Banks, |look| (look.banks, look.element_bits) = (Some(8), Some(16)));
    let scene = picture("Sw<2,1,3> o 0 o (8,16):(16,1)", &look);
    assert_eq!(scene.panels.len(), 2);
    for cell in cells(&scene) {
        let offset: i64 = cell.offset.parse().expect("a number");
        assert_eq!(cell.note, format!("bank {}", offset * 2 / 4 % 8));
    }
    let titles: Vec<&str> =
        scene.panels.iter().map(|panel| panel.title.rsplit(": ").next().unwrap_or("")).collect();
    assert_eq!(titles, ["at most 1 of a row, 8 of a column", "at most 1 of a row, 2 of a column"]);
    let options = Options::default().with_max_cells(64);
    let cut = picture("Sw<2,1,3> o 0 o (8,16):(16,1)", &{
        let mut look = look;
        look.options = options;
        look
    });
    assert_eq!(cut.caption, "columns 0 to 7 of 16; 8 banks of 4 bytes, elements of 16 bits");
    let refused = Session::new().picture("(4,8):(1@0,1@1)", &look).expect_err("coordinates have no bank");
    assert_eq!(refused.code, "codomain");
    let look = with(Aspect::Banks, |look| look.element_bits = Some(u32::MAX));
    assert_eq!(Session::new().picture("4:1", &look).expect_err("too wide an element").code, "width");
}

/// The grounds of a picture, by the names of what the colours stand for.
fn colored(text: &str, aspect: Aspect, by: ColorBy) -> Result<Vec<Ground>, String> {
    let look = with(aspect, |look| {
        look.options = Options::default().colored_by(by);
        look.element_bits = (aspect == Aspect::Banks).then_some(32);
    });
    let scene = Session::new().picture(text, &look).map_err(|error| error.message)?;
    Ok(cells(&scene).map(|cell| cell.ground).collect())
}

/// By enumeration: an offset has the colour of the coordinate that it has in the layout below.
#[test]
fn rows_and_columns_of_a_swizzled_layout_are_those_before_the_swizzle() {
    for (text, below) in [
        ("Sw<2,0,2> o 0 o (4,4):(4,1)", "(4,4):(4,1)"),
        ("Sw<3,2,3> o 0 o (8,32):(32,1)", "(8,32):(32,1)"),
        ("Sw<1,0,3> o 0 o (4,8):(1,4)", "(4,8):(1,4)"),
        ("Sw<2,0,3> o 0 o 200:1", "200:1"),
        ("(4,8):(8,1)", "(4,8):(8,1)"),
    ] {
        let before = colored(below, Aspect::Offsets, ColorBy::Column).expect("a picture");
        let after = colored(text, Aspect::Offsets, ColorBy::Column).expect("a picture");
        let (plain, swizzled) = (seen(below, Aspect::Offsets), seen(text, Aspect::Offsets));
        let of_offset: HashMap<&str, Ground> =
            cells(&plain).zip(&before).map(|(cell, &ground)| (cell.offset.as_str(), ground)).collect();
        for (cell, ground) in cells(&swizzled).zip(after) {
            let expected = of_offset.get(cell.offset.as_str()).copied().unwrap_or_default();
            assert_eq!(ground, expected, "{text} at {}", cell.coordinate);
        }
    }
    let rows = colored("(4,8):(8,1)", Aspect::Offsets, ColorBy::Row).expect("a picture");
    assert_eq!((rows[0], rows[7], rows[31]), (Ground::Scale(0.0), Ground::Scale(0.0), Ground::Scale(1.0)));
}

#[test]
fn colours_by_bank_and_tile_are_of_the_offset_and_of_the_nesting() {
    let look = with(Aspect::Offsets, |look| {
        look.options.color_by = Some(ColorBy::Bank);
        (look.banks, look.element_bits) = (Some(8), Some(16));
    });
    for cell in cells(&picture("(8,16):(16,1)", &look)) {
        let bank = cell.offset.parse::<i64>().expect("a number") * 2 / 4 % 8;
        assert_eq!(cell.ground, Ground::Scale(bank as f64 / 7.0), "{}", cell.coordinate);
    }
    let tensor = colored("smem_ptr[16b](0x0) o (_8,_64):(_64,_1)", Aspect::Offsets, ColorBy::Bank);
    assert!(tensor.is_ok(), "a tensor knows the bits of its elements: {tensor:?}");
    let tiles = colored("((2,2),(3,2)):((1,6),(2,12))", Aspect::Offsets, ColorBy::Tile).expect("a picture");
    for (at, ground) in tiles.into_iter().enumerate() {
        let (row, column) = (at / 6 / 2, at % 6 / 3);
        assert_eq!(ground, tilework_draw::tile_ground(&[row as i64, column as i64]), "cell {at}");
    }
}

/// What every aspect does with every choice of colours: a picture that differs, or a sentence that says what to write.
#[test]
fn colours_that_would_say_nothing_are_refused() {
    let tiled = "zipped_divide((4,8):(8,1), <2,4>)";
    for (text, aspect, by, sentence) in [
        ("(4,8):(8,1)", Aspect::Offsets, ColorBy::Thread, "aspects threads and values"),
        ("(4,8):(8,1)", Aspect::Banks, ColorBy::Thread, "aspects threads and values"),
        ("(4,8):(8,1)", Aspect::Offsets, ColorBy::Bank, "give their bits, such as 16"),
        ("(4,8):(8,1)", Aspect::Threads, ColorBy::Bank, "no memory bank"),
        ("SM80_16x8x16_F32F16F16F32_TN", Aspect::Offsets, ColorBy::Bank, "no memory bank"),
        ("(4,8):(8,1)", Aspect::Offsets, ColorBy::Tile, "the aspect tiles"),
        ("4:1", Aspect::Operation, ColorBy::Tile, "the aspect tiles"),
    ] {
        let refused = colored(text, aspect, by).expect_err(text);
        assert!(refused.contains(sentence), "{text} {aspect:?} {by:?}: {refused}");
    }
    for (text, aspect, by) in [
        ("((4,8),2):((16,1),8)", Aspect::Values, ColorBy::Thread),
        ("((4,8),2):((16,1),8)", Aspect::Threads, ColorBy::Offset),
        ("SM80_16x8x16_F32F16F16F32_TN", Aspect::Offsets, ColorBy::Row),
        ("tiled_mma(atom(SM80_8x8x4_F64F64F64F64_TN), (2,2,1))", Aspect::Threads, ColorBy::Tile),
        (tiled, Aspect::Tiles, ColorBy::Tile),
        (tiled, Aspect::Operation, ColorBy::Offset),
        ("Sw<2,0,2> o 0 o (4,4):(4,1)", Aspect::Banks, ColorBy::Column),
    ] {
        let grounds = colored(text, aspect, by).expect(text);
        assert!(grounds.iter().any(|ground| *ground != grounds[0]), "{text} {aspect:?} {by:?}");
        let plain = colored(text, aspect, ColorBy::None).expect(text);
        assert!(plain.iter().all(|ground| *ground == Ground::Blank), "{text} {aspect:?}");
    }
    let coordinates = with(Aspect::Offsets, |look| {
        look.options.color_by = Some(ColorBy::Bank);
        look.element_bits = Some(32);
    });
    let refused = Session::new().picture("(4,8):(1@0,1@1)", &coordinates).expect_err("no bank");
    assert_eq!(refused.code, "codomain");
}

#[test]
fn arrows_follow_one_element() {
    let text = "(8,8):(8,1) o ((4,8),2):((16,1),8)";
    for element in [0, 9, 63] {
        let scene = picture(text, &with(Aspect::Operation, |look| look.element = Some(element)));
        let cell = |(panel, cell): (usize, usize)| &scene.panels[panel].cells[cell];
        let [first, second] = scene.arrows[..] else { panic!("two arrows") };
        assert_eq!(first.to, second.from);
        assert_eq!(cell(first.from).index, element);
        assert_eq!(cell(first.from).offset, cell(first.to).index.to_string());
        assert_eq!((cell(second.to).index, &cell(second.to).offset), (element, &cell(first.to).offset));
    }
    let scene =
        picture("right_inverse((4,8):(8,1))", &with(Aspect::Operation, |look| look.element = Some(9)));
    let [arrow] = scene.arrows[..] else { panic!("one arrow") };
    assert_eq!(scene.panels[arrow.to.0].cells[arrow.to.1].offset, "9");
}

#[test]
fn what_cannot_be_seen_is_refused() {
    let cases = [
        ("(4,8):(1,4)", Aspect::Tiles, "kind"),
        ("(4,8):(1,4)", Aspect::Slice, "kind"),
        ("(4,8):(1,4)", Aspect::Common, "kind"),
        ("Sw<3,4,3>", Aspect::Offsets, "kind"),
        ("1048577:1", Aspect::Threads, "capacity"),
        ("9223372036854775807:0 o 9223372036854775807:1", Aspect::Tiles, "capacity"),
        ("(9223372036854775807:0)(_)", Aspect::Slice, "capacity"),
        ("(4,", Aspect::Offsets, "syntax"),
    ];
    for (text, aspect, code) in cases {
        let look = Look::of(aspect);
        let error = Session::new().picture(text, &look).expect_err(text);
        assert_eq!(error.code, code, "{text}: {error}");
    }
    for element in [-1, 64, i64::MAX] {
        let look = with(Aspect::Operation, |look| look.element = Some(element));
        let error = Session::new().picture("(8,8):(8,1) o 64:1", &look).expect_err("no such element");
        assert!(error.message.contains("there is no element"), "{error}");
    }
}

#[test]
fn no_aspect_of_anything_panics() {
    let texts = [
        "()",
        "4",
        "-3",
        "1:0",
        "(4,0):(1,4)",
        "_",
        "<4,_>",
        "true",
        "{8} o (3,2):(15,100)",
        "{(1,2)} o 4:1@0",
        "Sw<3,4,3> o 0 o (8,64):(64,1)",
        "Sw<3,4,3>",
        "(2,3):(1/2,1)",
        "9223372036854775807:1",
        "(9223372036854775807,2):(1,9223372036854775807)",
        "8:-1",
        "(4,8):(^1,^9)",
        "(4,8):(1@0,1@1)",
        "image(4:2)",
        "(4:1)(_)",
        "((4,2):(1,4))(_,_)",
        "4:1 o 2:1",
        "4:1@0 o 2:1",
        "1:0 * 1:0",
        "4:0 / 2",
        "complement(4:2)",
        "common_vector(4:0, 4:0)",
        "common_layout(4:1, 4:1)",
        "left_inverse(4:2)",
        "(4,2):(2,1) o <2,_>",
        "Sw<2,0,2> o 0 o (4,4):(4,1) o 8:1",
        "4:-1 * 2",
        "zipped_product((2,2):(1,2), <2,2>)",
    ];
    for text in texts {
        for aspect in Aspect::ALL {
            let colors = ColorBy::ALL.map(Some).into_iter().chain([None]);
            for (color_by, element) in colors.flat_map(|by| [(by, None), (by, Some(0)), (by, Some(3))]) {
                let options = Options::default().with_max_cells(64).with_path(true).colored_by(color_by);
                let tile = element.map(|_| "(2,(2,2))".parse().expect("a shape"));
                let look = with(aspect, |look| {
                    look.element = element;
                    look.options = options;
                    look.tile = tile;
                });
                if let Ok(scene) = Session::new().picture(text, &look) {
                    assert!(tilework_draw::svg::write(&scene).ends_with("</svg>\n"), "{text}");
                }
            }
        }
    }
}
#[test]
fn a_function_that_is_not_of_indices_is_followed() {
    let swizzled = seen("Sw<2,0,2> o 0 o (4,4):(4,1)", Aspect::Offsets);
    let offsets = layout("(4,4):(4,1)");
    for cell in cells(&swizzled) {
        let offset = offsets.evaluate(&HTuple::leaf(cell.index)).expect("an offset").leaves()[0].numerator();
        assert_eq!(cell.offset, (offset ^ (offset >> 2 & 3)).to_string());
    }
}

/// What a picture would have to go through is bounded, unless more is asked for.
#[test]
fn a_large_picture_is_asked_for() {
    for (text, aspect) in [
        ("(1024,1024):(1,1024)", Aspect::Threads),
        ("((1024,1024):(1,1024))(_,_)", Aspect::Slice),
        ("(1024,1024):(1,1024) / (2,2)", Aspect::Tiles),
    ] {
        let look = Look::of(aspect);
        let error = Session::new().picture(text, &look).expect_err(text);
        assert_eq!(error.code, "capacity", "{text}");
        assert!(error.message.contains("unless max_cells is more"), "{error}");
    }
    let options = Options::default().with_max_cells(1 << 17);
    assert_eq!(options.bounded(1 << 17), Ok(1 << 17));
    assert!(options.bounded((1 << 17) + 1).is_err() && Options::default().bounded(i64::MAX).is_err());
    let cut = seen("9223372036854775807:1", Aspect::Offsets);
    assert!(cut.cut && cells(&cut).count() == 4096);
}
