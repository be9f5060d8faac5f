//! A tile of shared memory: what `tilework banks`, `swizzle`, `vector` and `operand` say of it.

use crate::picture::Picture;
use crate::question::{Source, Tile};
use crate::wrong::Wrong;
use serde::Serialize;
use tilework::{AnyLayout, Layout};
use tilework_expr::{Accesses, ExprError, Failure, Operand, Session, Unconflicted, Value, width};
use tilework_hardware::access::{Access, Side, vector_width};
use tilework_hardware::memory::Banks;
use tilework_hardware::swizzle::{Form, search};

/// The alignment of an address, in bytes, and the bits of the widest instruction: the defaults of `tilework vector`.
const ALIGN: u32 = 16;
const WIDEST: u32 = 128;

/// The answers, or the error in the line of the tile.
#[derive(Default, Serialize)]
pub struct Answer {
    answers: Vec<Said>,
    /// The banks that the access reaches.
    picture: Option<Picture>,
    error: Option<Wrong>,
}

/// The answer to one of the commands.
#[derive(Serialize)]
struct Said {
    command: &'static str,
    text: String,
    /// Whether it is yes; none if there is no answer, and the text says why.
    yes: Option<bool>,
}

impl Said {
    fn of(command: &'static str, answer: Result<(bool, String), Failure>) -> Said {
        match answer {
            Ok((yes, text)) => Said { command, text, yes: Some(yes) },
            Err(failure) => Said { command, text: failure.to_string(), yes: None },
        }
    }
}

impl Tile {
    pub fn answer(&self) -> Answer {
        let read = self.source.value().and_then(|value| {
            let data = value.as_data().ok_or_else(|| wrong_kind(&self.source.text, &value))?;
            let data = data.map_err(|error| ExprError::from(Failure::from(error)))?;
            Ok((value, data))
        });
        match read {
            Ok((value, data)) => self.answers(&value, &data),
            Err(error) => Answer { error: Some(Wrong::of(&error, &self.source.text)), ..Answer::default() },
        }
    }

    fn answers(&self, value: &Value, data: &AnyLayout) -> Answer {
        let (mut answers, mut picture) = (Vec::new(), None);
        if !self.access.trim().is_empty() {
            let access = self.access(value, data.layout());
            let banks = access.clone().and_then(|access| {
                let report = Banks::NVIDIA.report(data, &access)?;
                picture =
                    tilework_draw::slowest_access(data, &access, &Banks::NVIDIA, &self.view.options()).ok();
                Ok((report.is_ideal(), report.to_string()))
            });
            answers.push(Said::of("banks", banks));
            let swizzle = access.and_then(|access| {
                let (tile, accesses) = (data.layout(), [(Banks::NVIDIA, access)]);
                let found = search(tile, &accesses, Form::Sw);
                let found = Unconflicted::of(tile, &["access".into()], &accesses, Form::Sw, found)?;
                Ok((found.layout.is_some(), found.to_string()))
            });
            answers.push(Said::of("swizzle", swizzle));
        }
        if !self.copy.trim().is_empty() {
            answers.push(Said::of("vector", self.vector(value, data)));
        }
        if !self.operand.trim().is_empty() {
            let operand = width(self.view.bits, [value]).and_then(|bits| {
                let found = Operand::of(data, self.operand.trim(), None, bits, None)?;
                Ok((found.legal.is_some(), found.to_string()))
            });
            answers.push(Said::of("operand", operand));
        }
        let picture = picture.map(|mut scene| Picture::new(&mut scene, &self.view));
        Answer { answers, picture, error: None }
    }

    fn access(&self, value: &Value, tile: &Layout) -> Result<Access, Failure> {
        let accesses = Accesses::read(&mut Session::new(), &self.access).map_err(failed)?;
        let bits = width(self.view.bits, [value].into_iter().chain(accesses.value()))?;
        accesses.of(tile, bits, self.vector)
    }

    fn vector(&self, value: &Value, data: &AnyLayout) -> Result<(bool, String), Failure> {
        let other = Source::alone(&self.copy).value().map_err(failed)?;
        let bits = width(self.view.bits, [value, &other])?;
        let to = other.as_data().ok_or_else(|| failed(wrong_kind(&self.copy, &other)))??;
        let side = |layout| Side { layout, align: ALIGN };
        let width = vector_width(side(data), side(&to), bits, WIDEST)?;
        Ok((width.elements > 1, width.to_string()))
    }
}

fn wrong_kind(text: &str, value: &Value) -> ExprError {
    ExprError::wrong_kind(text, "a plain or swizzled layout of numbers", value.kind())
}

fn failed(error: ExprError) -> Failure {
    let help = error.help.map_or(String::new(), |help| format!("; {help}"));
    Failure::Other { code: error.code, message: error.message + &help }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    fn memory(lines: &str) -> Value {
        serde_json::from_str(&crate::answer(&format!(r#"{{"ask":"memory",{lines}}}"#))).unwrap()
    }

    /// With the sentences that the tests of the program have.
    #[test]
    fn the_answers_are_those_of_the_program() {
        let answer = memory(
            r#""text":"(64,32):(32,1)","access":"ldmatrix","copy":"(64,32):(40,1)","operand":"wgmma.a.k","view":{"bits":16}"#,
        );
        let said = |at: usize| answer["answers"][at]["text"].as_str().unwrap();
        assert_eq!(
            said(0),
            "4-way conflict: 128 wavefronts instead of 32; lanes 0,2,4,6 access 4 words of bank 0; elements of 16 bits"
        );
        assert_eq!(
            said(1),
            "Sw<2,3,3> o 0 o (64,32):(32,1)   access: no conflicts in 32 wavefronts (before 128 wavefronts: lanes 0,2,4,6 access 4 words of bank 0); no smaller swizzle achieves this; elements of 16 bits"
        );
        assert_eq!(said(2), "8 elements, 128 bits, at 8:64: no instruction is wider; elements of 16 bits");
        assert!(said(3).starts_with("wgmma.a.k: refused: element (1,0) is at 32 before the swizzle"));
        let verdicts: Vec<_> = (0..4).map(|at| answer["answers"][at]["yes"].as_bool()).collect();
        assert_eq!(verdicts, [Some(false), Some(true), Some(true), Some(false)]);
        assert!(answer["picture"]["svg"].is_string());
    }

    #[test]
    fn each_answer_that_there_is_none_of_says_why() {
        let answer = memory(
            r#""text":"(64,32):(32,1)","access":"ldmatrx","copy":"true","operand":"wgmma","view":{"bits":16}"#,
        );
        for (at, part) in ["ldmatrix", "ldmatrix", "a plain or swizzled layout", "no instruction `wgmma`"]
            .iter()
            .enumerate()
        {
            let said = &answer["answers"][at];
            assert!(said["yes"].is_null() && said["text"].as_str().unwrap().contains(part), "{said}");
        }
        let no_tile = memory(r#""text":"(64,","access":"","copy":"","operand":"""#);
        assert_eq!(no_tile["error"]["code"], "syntax");
        let no_width = memory(r#""text":"4:1","access":"rows","copy":"","operand":"""#);
        assert!(
            no_width["answers"][0]["text"].as_str().unwrap().contains("how wide the elements are"),
            "{no_width}"
        );
        assert_eq!(no_width["answers"].as_array().unwrap().len(), 2);
    }
}
