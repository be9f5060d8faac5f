//! A GPU program as text: what `tilework kernel` says of it, and pictures of its statements.

use crate::picture::Picture;
use crate::place::{Last, Place};
use crate::question::Kernel;
use serde::Serialize;
use tilework_draw::Scene;
use tilework_program::kernel::Fold;
use tilework_program::library::{self, Gemm};
use tilework_program::{Buffers, Error, Program, Target, f16};

/// The most elements that a run of the page computes, and the largest size of a tensor that it makes.
const MAX_WORK: u64 = 1 << 18;
const MAX_SIZE: i64 = 1 << 9;
/// Sizes by default: ragged where a program admits that.
const USUAL: [i64; 4] = [70, 64, 128, 256];

/// A program, or the line that is wrong.
#[derive(Default, Serialize)]
pub struct Answer {
    /// None if the text is no program.
    name: Option<String>,
    /// The sizes of a run, as they are given or as they are by default.
    sizes: Vec<(String, i64)>,
    /// The statements that touch memory.
    statements: Vec<Line>,
    /// The line of the one that is drawn.
    line: Option<usize>,
    picture: Option<Picture>,
    error: Option<Line>,
}

/// A line of the text, none where it is of the whole program, and a sentence or its own text.
#[derive(Serialize)]
struct Line {
    line: Option<usize>,
    text: String,
}

impl From<Error> for Line {
    fn from(error: Error) -> Line {
        Line { line: error.line(), text: error.message().to_owned() }
    }
}

thread_local! {
    static LAST: Last<Kernel> = const { Last::new() };
}

impl Kernel {
    pub fn answer(&self) -> Answer {
        let mut answer = Answer::default();
        if let Err(error) = self.fill(&mut answer) {
            answer.error = Some(error.into());
        }
        answer
    }

    fn fill(&self, answer: &mut Answer) -> Result<(), Error> {
        let program: Program = self.text.parse()?;
        answer.name = Some(program.name().to_owned());
        answer.sizes = self.sizes(&program);
        let mut lines: Vec<usize> = program.touched()?.iter().map(|touched| touched.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let text = |line: usize| self.text.lines().nth(line - 1).unwrap_or_default().trim().to_owned();
        answer.statements = lines.iter().map(|&line| Line { line: Some(line), text: text(line) }).collect();
        // That of the line itself, or of the first after it.
        let after = lines.iter().find(|line| **line >= self.line.unwrap_or(0));
        answer.line = after.or(lines.last()).copied();
        if let Some(line) = answer.line {
            let mut scene = tilework_draw::program(&program, Some(line), &self.view.options())?;
            let titles: Vec<&str> = scene.panels.iter().map(|panel| panel.title.as_str()).collect();
            scene.caption = format!("{}; {}", titles.join(", "), scene.caption);
            answer.picture = Some(Picture::new(&mut scene, &self.view));
            LAST.with(|last| last.keep(&Kernel { line: Some(line), ..self.clone() }, scene));
        }
        Ok(())
    }

    /// Sizes that are not given are the first of some for which the program is made.
    fn sizes(&self, program: &Program) -> Vec<(String, i64)> {
        let names = program.extents();
        let all = |size: i64| names.iter().map(|name| (*name, size)).collect::<Vec<_>>();
        let usual = USUAL.into_iter().find(|size| program.sizes(&all(*size)).is_ok()).unwrap_or(1);
        let given = |name: &str| self.sizes.get(name).copied().unwrap_or(usual);
        names.iter().map(|name| (name.to_string(), given(name))).collect()
    }

    fn scene(&self) -> Option<Scene> {
        tilework_draw::program(&self.text.parse().ok()?, self.line, &self.view.options()).ok()
    }

    /// What is at one cell of the picture of a line.
    pub fn place(&self, number: usize) -> Option<Place> {
        LAST.with(|last| last.place(self, number, || self.scene()))
    }

    /// What a check finds.
    pub fn check(&self) -> Checked {
        let found = |program: Program| {
            let report = program.check()?;
            let finding = |finding: &tilework_program::Finding| Finding {
                line: finding.line,
                certainty: finding.certainty.word(),
                text: finding.text.clone(),
            };
            let findings = report.findings.iter().map(finding).collect();
            let verdict = match (report.is_right(), report.is_proved()) {
                (false, _) => "wrong",
                (true, false) => "tried",
                (true, true) if report.conflicts().next().is_some() => "slow",
                (true, true) => "proved",
            };
            Ok(Checked { verdict, findings, conditions: report.conditions().to_owned(), error: None })
        };
        self.text
            .parse()
            .and_then(found)
            .unwrap_or_else(|error: Error| Checked { error: Some(error.into()), ..Checked::default() })
    }

    /// Its text in a language, or why there is none.
    pub fn emit(&self, language: &str) -> Text {
        let target = if language == "cuda" { Target::Cuda } else { Target::Wgsl };
        Text::of(self.text.parse().and_then(|program: Program| program.emit(target)))
    }

    /// What it does at sizes.
    pub fn run(&self) -> Text {
        Text::of(self.text.parse().and_then(|program: Program| {
            let given = self.sizes(&program);
            let given: Vec<(&str, i64)> = given.iter().map(|(name, size)| (name.as_str(), *size)).collect();
            let sizes = program.sizes(&given)?;
            let launch = program.launch(&sizes, &[])?;
            let named: Vec<String> = sizes.named().map(|(name, value)| format!("{name}={value}")).collect();
            let blocks: Vec<String> = launch.blocks.iter().map(u32::to_string).collect();
            let (name, named, blocks, threads) =
                (program.name(), named.join(", "), blocks.join(" x "), launch.threads);
            let head = format!("{name} at {named}: {blocks} blocks of {threads} threads");
            if given.iter().any(|(_, size)| *size > MAX_SIZE) {
                return Ok(format!("{head}\nthe page runs it at sizes of at most {MAX_SIZE}"));
            }
            let mut buffers = Buffers::new(&program, &sizes)?;
            Ok(match program.run_within(&sizes, &mut buffers, MAX_WORK)? {
                Some(counts) => format!("{head}\n{counts}"),
                None => format!(
                    "{head}\nthe page runs at most {MAX_WORK} elements; tilework kernel run has more time"
                ),
            })
        }))
    }
}

/// The report of a check.
#[derive(Default, Serialize)]
pub struct Checked {
    /// `proved`, `slow`, `tried` or `wrong`; empty for a text that is no program.
    verdict: &'static str,
    findings: Vec<Finding>,
    conditions: String,
    error: Option<Line>,
}

#[derive(Serialize)]
struct Finding {
    line: Option<usize>,
    certainty: &'static str,
    text: String,
}

/// A text, or the line that is wrong.
#[derive(Serialize)]
pub struct Text {
    text: Option<String>,
    error: Option<Line>,
}

impl Text {
    fn of(text: Result<String, Error>) -> Text {
        match text {
            Ok(text) => Text { text: Some(text), error: None },
            Err(error) => Text { text: None, error: Some(error.into()) },
        }
    }
}

/// A program of the library to begin with.
#[derive(Serialize)]
pub struct Start {
    name: &'static str,
    text: String,
}

/// Programs to begin with.
pub fn starts() -> Vec<Start> {
    let (rows, columns) = ("(M,N):(lda,1)", "(M,N):(1,ldb)");
    let gemm = || Gemm::new("(M,K):(lda,1)", "(N,K):(ldb,1)", "(M,N):(ldc,1)");
    let half = || gemm().tile([64, 64, 32]).stages(2);
    let programs = [
        ("transpose", library::copy::<f32>(rows, columns)),
        ("sum of rows", library::reduce::<f32>(Fold::SUM, rows, 1, "M:1")),
        ("softmax", library::softmax("(M,N):(ldx,1)", "(M,N):(ldy,1)")),
        ("gather of rows", library::gather::<f32>("(V,D):(ld,1)", "(R,D):(D,1)")),
        ("product", gemm().tile([32, 32, 16]).build(|sum| sum)),
        (
            "product on tensor cores",
            half().build_by::<f16, _>("SM80_16x8x16_F32F16F16F32_TN", [2, 2], |sum| sum.cast::<f16>()),
        ),
    ];
    let start = |(name, program): (&'static str, Result<Program, Error>)| {
        program.ok().map(|program| Start { name, text: program.to_string() })
    };
    programs.into_iter().filter_map(start).collect()
}
