//! The questions of the page.

use serde::Deserialize;
use std::collections::BTreeMap;
use tilework_draw::palette::Theme;
use tilework_draw::{ColorBy, Options};
use tilework_expr::{Aspect, Banks, ExprError, Look, Session, Trace, Value, width};
use tilework_hardware::memory;

/// A question of the page.
#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
pub enum Question {
    /// Value, facts, picture and operations of a text, or its error.
    Pane {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
    },
    /// The explanation of one operation of a text, with pictures of its operands and its value.
    Operation {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
        /// The number of the operation, from 0.
        number: usize,
    },
    /// Everything about one cell.
    Cell {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
        /// Its number among the cells of the picture, panel after panel and row by row.
        number: usize,
    },
    /// The picture as a file.
    Export {
        #[serde(flatten)]
        source: Source,
        #[serde(default)]
        view: View,
        format: Format,
    },
    /// The table of functions.
    Functions,
    /// The aspects of an expression that can be shown.
    Aspects,
    /// The meanings that colours can have.
    Colors,
    /// The names of instructions that contain all of some words; without words, their families.
    Atoms {
        #[serde(default)]
        words: String,
    },
    /// The layouts in a text that was pasted, such as a log.
    Scan { text: String },
    /// The parts of a tensor that each device of a mesh holds, and the messages of a redistribution.
    Sharding {
        #[serde(flatten)]
        tensor: Tensor,
    },
    /// What a tile of shared memory comes to: banks, swizzle, vector, operand.
    Memory {
        #[serde(flatten)]
        tile: Tile,
    },
    /// A storage format: its facts, its picture at sizes, or the formats that have some words.
    Format {
        #[serde(flatten)]
        stored: Stored,
    },
    /// A cell of that picture.
    Place {
        #[serde(flatten)]
        stored: Stored,
        number: usize,
    },
    /// A GPU program: its statements, and the picture of one; or the line that is wrong.
    Program {
        #[serde(flatten)]
        kernel: Kernel,
    },
    /// A cell of that picture.
    Touch {
        #[serde(flatten)]
        kernel: Kernel,
        number: usize,
    },
    /// What a check of a GPU program finds.
    Check {
        #[serde(flatten)]
        kernel: Kernel,
    },
    /// The text of a GPU program in `wgsl` or `cuda`.
    Emit {
        #[serde(flatten)]
        kernel: Kernel,
        language: String,
    },
    /// What a GPU program does at sizes.
    Run {
        #[serde(flatten)]
        kernel: Kernel,
    },
    /// GPU programs to begin with.
    Starts,
    /// A cell of the picture of a tensor on many devices.
    Block {
        #[serde(flatten)]
        tensor: Tensor,
        number: usize,
    },
}

/// The text of a pane.
#[derive(Clone, PartialEq, Deserialize)]
pub struct Source {
    pub text: String,
    /// The texts whose names it may use.
    #[serde(default)]
    before: Vec<String>,
}

impl Source {
    /// A text that uses no names.
    pub fn alone(text: &str) -> Source {
        Source { text: text.to_owned(), before: Vec::new() }
    }

    /// The value of the text, with the operations that compute it.
    pub fn trace(&self) -> Trace {
        self.run().1
    }

    /// The same, with the session that contains the value.
    pub fn run(&self) -> (Session, Trace) {
        let mut session = self.session();
        let trace = session.trace(&self.text);
        (session, trace)
    }

    /// The names that the texts before it define.
    fn session(&self) -> Session {
        self.after(Session::new())
    }

    fn after(&self, mut session: Session) -> Session {
        for text in &self.before {
            // Its own pane shows its error; names defined before the error may be used.
            let _ = session.evaluate(text);
        }
        session
    }

    /// The value of the text.
    pub fn value(&self) -> Result<Value, ExprError> {
        self.session().evaluate(&self.text).cloned()
    }

    /// The same with numbers instead of names: facts about numbers need no assumptions.
    pub fn with_numbers(&self, values: &[(String, i64)]) -> Trace {
        let mut session = Session::new();
        for (name, value) in values {
            let _ = session.evaluate(&format!("let {name} = {value}"));
        }
        let before = self.before.iter().map(|text| without_facts(text)).collect();
        let numbers = Source { text: without_facts(&self.text), before };
        numbers.after(session).trace(&numbers.text)
    }
}

/// The arguments of `tilework shard` and `tilework reshard`.
#[derive(Deserialize)]
pub struct Tensor {
    /// The extents.
    #[serde(flatten)]
    pub shape: Source,
    pub mesh: String,
    pub spec: String,
    /// The sharding to redistribute to; empty for none.
    #[serde(default)]
    pub to: String,
    /// The speeds of the links; empty for equal ones.
    #[serde(default)]
    pub links: String,
    /// The device whose messages are shown; by default the last one.
    #[serde(default)]
    pub device: Option<i64>,
    #[serde(default)]
    pub view: View,
}

/// The arguments of `tilework banks`, `swizzle`, `vector` and `operand`; what is empty is not asked about.
#[derive(Deserialize)]
pub struct Tile {
    /// The layout of the tile.
    #[serde(flatten)]
    pub source: Source,
    pub access: String,
    /// The layout that it is copied to.
    pub copy: String,
    /// The instruction that takes it.
    pub operand: String,
    /// How many consecutive values of a thread one instruction accesses.
    #[serde(default)]
    pub vector: Option<u32>,
    #[serde(default)]
    pub view: View,
}

/// The arguments of `tilework format`.
#[derive(Clone, PartialEq, Deserialize)]
pub struct Stored {
    /// A name, an alias, a rule; or words to search for.
    pub name: String,
    /// Sizes that are not given are small.
    #[serde(default)]
    pub sizes: BTreeMap<String, i64>,
    /// What the colours represent, `byte` or `piece`; empty for what suits the format.
    #[serde(default)]
    pub by: String,
    #[serde(default)]
    pub view: View,
}

/// The arguments of `tilework kernel`.
#[derive(Clone, PartialEq, Deserialize)]
pub struct Kernel {
    pub text: String,
    /// The line of the statement that is drawn; by default the first.
    #[serde(default)]
    pub line: Option<usize>,
    #[serde(default)]
    pub sizes: BTreeMap<String, i64>,
    #[serde(default)]
    pub view: View,
}

/// A text without its statements `assume` and `hint`.
fn without_facts(text: &str) -> String {
    let kept = text.split(';').map(|statement| {
        let word = statement.trim_start().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        match word {
            Some("assume" | "hint") => statement.find('\n').map_or("", |end| &statement[end..]),
            _ => statement,
        }
    });
    kept.filter(|statement| !statement.trim().is_empty()).collect::<Vec<_>>().join(";")
}

/// A file format.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Svg,
    Tex,
    Html,
}

/// The reader's choices.
#[derive(Clone, PartialEq, Deserialize)]
#[serde(default)]
pub struct View {
    /// The name of an aspect.
    aspect: String,
    /// What the colours represent, by name; empty for the aspect's default.
    color: String,
    /// Whether a line connects the offsets in order.
    path: bool,
    pub dark: bool,
    /// The most cells to draw.
    cells: usize,
    /// The shape of the tile of a thread-value layout; empty for the smallest.
    tile: String,
    /// The element that is traced through an operation.
    element: Option<i64>,
    /// The number of banks.
    banks: u32,
    /// The bytes of a bank.
    bytes: u32,
    /// The bits of an element; a tensor has its own.
    pub bits: Option<u32>,
    /// The values that the reader has chosen for names.
    pub names: BTreeMap<String, i64>,
}

impl Default for View {
    fn default() -> View {
        View {
            aspect: Aspect::default().name().into(),
            color: String::new(),
            path: false,
            dark: false,
            cells: Options::default().max_cells,
            tile: String::new(),
            element: None,
            banks: memory::Banks::NVIDIA.count,
            bytes: memory::Banks::NVIDIA.bytes,
            bits: None,
            names: BTreeMap::new(),
        }
    }
}

impl View {
    pub fn theme(&self) -> Theme {
        if self.dark { Theme::Dark } else { Theme::Light }
    }

    /// Without a name, the first aspect.
    pub fn aspect(&self) -> Aspect {
        Aspect::ALL.into_iter().find(|aspect| aspect.name() == self.aspect).unwrap_or_default()
    }

    pub fn options(&self) -> Options {
        Options::default()
            .with_max_cells(self.cells)
            .with_path(self.path)
            .colored_by(ColorBy::named(&self.color))
    }

    /// The memory of a value, if the width of its elements is known.
    pub fn banks(&self, value: &Value) -> Option<Banks> {
        let element_bits = width(self.bits, [value]).ok()?;
        Some(Banks { count: self.banks.max(1), bytes: self.bytes.max(1), element_bits })
    }

    /// The contents of the picture.
    ///
    /// # Errors
    /// A sentence if the tile is not a shape.
    pub fn look(&self) -> Result<Look, String> {
        let mut look = Look::of(self.aspect());
        look.tile = match self.tile.trim() {
            "" => None,
            tile => Some(tile.parse().map_err(|error| format!("the tile {tile} is not a shape: {error}"))?),
        };
        look.options = self.options();
        (look.banks, look.bank_bytes, look.element_bits) =
            (Some(self.banks.max(1)), Some(self.bytes.max(1)), self.bits);
        look.element = self.element;
        Ok(look)
    }
}
