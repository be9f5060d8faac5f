//! A scene as a LaTeX document with one TikZ picture, for pdflatex.

use crate::geometry::{self, CELL_FONT, Placed, Plan, Rect};
use crate::palette::{Colour, Theme};
use crate::scene::Scene;
use crate::svg::{class, grounds, n};
use std::fmt::{self, Write};

/// The document; for use in another document, take the part from `\begin{tikzpicture}` to `\end{tikzpicture}`, with the
/// colours before it.
///
/// ```
/// use tilework::AnyLayout;
/// use tilework_draw::{Options, draw, tex};
/// let swizzled = AnyLayout::Swizzled("Sw<2,0,2> o 0 o (4,4):(4,1)".parse()?);
/// let offset = |index| swizzled.evaluate(index);
/// let scene = draw("100% {swizzled}", swizzled.layout(), &offset, &Options::default())?;
/// assert!(tex::write(&scene).contains(r"100\% \{swizzled\}"));
/// # Ok::<(), tilework::Error>(())
/// ```
#[must_use]
pub fn write(scene: &Scene) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = document(&mut out, scene);
    out
}

fn document(out: &mut String, scene: &Scene) -> fmt::Result {
    let plan = Plan::new(scene);
    out.push_str("\\documentclass[tikz]{standalone}\n");
    let theme = Theme::Light;
    let named = [("ink", theme.ink()), ("label", theme.label()), ("rule", theme.rule())];
    for (name, colour) in named.into_iter().chain([("page", theme.page()), ("accent", theme.accent())]) {
        define(out, name, colour)?;
    }
    for (class, ground) in grounds(scene) {
        let colour = theme.ground(ground);
        define(out, &class, colour)?;
        define(out, &format!("{class}t"), colour.text())?;
    }
    out.push_str(
        "\\begin{document}\n\
         \\begin{tikzpicture}[x=0.75pt,y=-0.75pt,inner sep=0pt,line join=round,font=\\ttfamily]\n",
    );
    writeln!(out, "\\useasboundingbox (0,0) rectangle ({},{});", plan.width, plan.height)?;
    for placed in &plan.panels {
        panel(out, placed)?;
    }
    for route in geometry::routes(&plan, &scene.arrows) {
        outlined(out, "accent", 3, &route.line.map(point).join(" -- "))?;
        writeln!(out, "\\fill[accent] {} -- cycle;", route.head.map(point).join(" -- "))?;
    }
    for placed in &plan.panels {
        texts(out, placed)?;
    }
    for [(x1, y1), (x2, y2)] in &plan.braces {
        writeln!(out, "\\draw[draw=label] ({},{}) -- ({},{});", n(*x1), n(*y1), n(*x2), n(*y2))?;
    }
    for text in &plan.texts {
        let style = if text.coordinate { "label" } else { "ink,anchor=west" };
        let (x, y, size, text) = (n(text.x), n(text.y), size(text.font), escape(text.text));
        writeln!(out, "\\node[text={style}] at ({x},{y}) {{{size} {text}}};")?;
    }
    out.push_str("\\end{tikzpicture}\n\\end{document}\n");
    Ok(())
}

fn define(out: &mut String, name: &str, colour: Colour) -> fmt::Result {
    writeln!(out, "\\definecolor{{{name}}}{{HTML}}{{{:02X}{:02X}{:02X}}}", colour.0, colour.1, colour.2)
}

fn panel(out: &mut String, placed: &Placed) -> fmt::Result {
    for (at, cell) in placed.panel.cells.iter().enumerate() {
        writeln!(out, "\\filldraw[fill={},draw=rule] {};", class(cell.ground), frame(placed.cell(at)))?;
    }
    let mut levels = 0;
    for outline in &placed.panel.outlines {
        levels = levels.max(outline.level);
        let frames: Vec<String> = outline.areas.iter().map(|&area| frame(placed.rect(area))).collect();
        outlined(out, "ink", 1 + outline.level, &frames.join(" "))?;
    }
    let border: Vec<String> = placed.border().into_iter().map(point).collect();
    outlined(out, "ink", 2 + levels, &format!("{} -- cycle", border.join(" -- ")))?;
    if !placed.panel.path.is_empty() {
        let line: Vec<String> = placed.panel.path.iter().map(|&cell| point(placed.middle(cell))).collect();
        outlined(out, "accent", 3, &line.join(" -- "))?;
    }
    for &cell in &placed.panel.highlights {
        writeln!(out, "\\draw[draw=accent,line width=3pt] {};", frame(placed.cell(cell)))?;
    }
    Ok(())
}

/// As in SVG.
fn texts(out: &mut String, placed: &Placed) -> fmt::Result {
    for (at, cell) in placed.panel.cells.iter().enumerate() {
        let class = class(cell.ground);
        let fill = match placed.panel.path.is_empty() {
            true => String::new(),
            false => format!(",inner sep=1.5pt,fill={class}"),
        };
        for (x, y, line) in placed.lines(at) {
            let (x, y, size, line) = (n(x), n(y), size(CELL_FONT), escape(line));
            writeln!(out, "\\node[text={class}t{fill}] at ({x},{y}) {{{size} {line}}};")?;
        }
    }
    Ok(())
}

/// A line with an edge, as in SVG.
fn outlined(out: &mut String, colour: &str, width: usize, shape: &str) -> fmt::Result {
    let points = |pixels: usize| 0.75 * pixels as f64;
    writeln!(out, "\\draw[draw=page,line width={}pt] {shape};", points(width + 2))?;
    writeln!(out, "\\draw[draw={colour},line width={}pt] {shape};", points(width))
}

fn point((x, y): (f64, f64)) -> String {
    format!("({},{})", n(x), n(y))
}

fn frame(Rect { x, y, width, height }: Rect) -> String {
    format!("({},{}) rectangle ({},{})", n(x), n(y), n(x + width), n(y + height))
}

/// The nearest size of the standard classes: other sizes need scalable fonts.
fn size(pixels: f64) -> &'static str {
    match pixels {
        p if p < 12.0 => "\\footnotesize",
        p if p < 14.0 => "\\small",
        _ => "\\normalsize",
    }
}

/// Text escaped for LaTeX.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '_' | '#' | '$' | '%' | '&' | '{' | '}' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
            // Characters at which pdflatex would stop.
            _ => out.push('?'),
        }
    }
    out
}
