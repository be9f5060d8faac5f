import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { scan } from "../../src/svg";
import { engine } from "../wasm";
import { settled, shot, visits } from "./browser";

const wasm = engine();
const visit = visits();

const pane = (page: Page, number = 1) => page.getByRole("article", { name: `pane ${number}` });
const field = (page: Page, number = 1) => pane(page, number).getByRole("textbox", { name: "expression", exact: true });
const value = (page: Page, number = 1) => pane(page, number).getByRole("group", { name: "value" }).locator("code");
const picture = (page: Page, number = 1) => pane(page, number).getByRole("grid");
const cells = (page: Page) => page.getByRole("region", { name: "cells" });
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const state = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

/** Where a cell is in the window of a picture that fits it. */
async function spot(page: Page, text: string, row: number, column: number): Promise<{ x: number; y: number }> {
  const svg = wasm.ask("pane", { text, before: [], view: {} }).picture?.svg ?? "";
  const drawing = scan(svg);
  const corner = drawing.corners[0] ?? { x: 0, y: 0, width: 0, height: 0 };
  const box = (await picture(page).boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
  const scale = Math.min(1.25, box.width / drawing.width, box.height / drawing.height);
  const side = (whole: number, size: number, at: number) => (whole - scale * size) / 2 + scale * at;
  return {
    x: box.x + side(box.width, drawing.width, corner.x + (column + 0.5) * corner.width),
    y: box.y + side(box.height, drawing.height, corner.y + (row + 0.5) * corner.height),
  };
}

/** How many pixels of a picture are of the accent's colour, which only frames and paths have. */
async function accents(page: Page, canvas = "over"): Promise<number> {
  return picture(page).locator(`canvas.${canvas}`).evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] === 213 && data[at + 1] === 94 && data[at + 2] === 0) found += 1;
    return found;
  });
}

test("what is typed is seen: value, picture, facts and reasons", async () => {
  const page = await visit();
  await field(page).fill("");
  await field(page).pressSequentially("(8,8):(8,1) o ((4,8),2):((16,1),8)");
  await settled(page);
  expect(await value(page).textContent()).toBe("((4,8),2):((2,8),1)");
  expect(await picture(page).getAttribute("aria-rowcount")).toBe("32");
  const reasons = page.getByRole("region", { name: "explanation" });
  expect(await reasons.textContent()).toContain("8 divides out all 8 of 8:8");
  expect(await reasons.getByRole("img").count()).toBe(3);
  expect(await page.getByRole("region", { name: "facts" }).textContent()).toContain("bijectiveyes");
  const painted = await picture(page).locator("canvas.base").evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  expect(painted).toBeGreaterThan(40);
  await shot(page, "light");
});

test("a pointer on a cell says where it is, and a click pins it", async () => {
  const text = "((2,2),(4,2)):((1,8),(2,16))";
  const page = await visit(`#e=${text}&m=32,4,32`);
  const at = await spot(page, text, 2, 5);
  await page.mouse.move(at.x, at.y);
  const said = await cells(page).textContent();
  for (const part of ["in 3222", "in (4,8)(2,5)", "in ((2,2),(4,2))((0,1),(1,1))", "offset26", "bank26"]) expect(said).toContain(part);
  expect(await accents(page)).toBeGreaterThan(50);
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(at.x, at.y + 300);
  expect(await cells(page).textContent()).toContain("offset26");
  await expect.poll(() => state(page).get("c")).toBe("21");
  const other = await spot(page, text, 0, 1);
  await page.mouse.move(other.x, other.y);
  expect(await cells(page).textContent()).toContain("offset226");
  await shot(page, "hover");
  await button(page, "unpin index 22, coordinate ((0,1),(1,1)), offset 26").click();
  await expect.poll(() => state(page).get("c")).toBeNull();
});

test("banks and threads", async () => {
  const page = await visit("#e=((4,8),2):((16,1),8)&c=9&a=threads&t=(8,8)");
  expect(await cells(page).textContent()).toContain("it isthread 4 value 1");
  await shot(page, "threads", false);
  await pane(page).getByRole("textbox", { name: "tile" }).fill("64");
  expect(await picture(page).getAttribute("aria-colcount")).toBe("64");
  await pane(page).getByRole("combobox", { name: "show" }).selectOption("banks");
  await pane(page).getByRole("spinbutton", { name: "bits" }).fill("16");
  await page.keyboard.press("Enter");
  await settled(page);
  expect(await cells(page).textContent()).toContain("offset9bank4");
  await expect.poll(() => state(page).get("m")).toBe("32,4,16");
  expect(await pane(page).locator(".figure figcaption").textContent()).toContain("32 banks of 4 bytes, elements of 16 bits; words in one bank");
});

test("names have sliders, conditions hold or fail, and wrong offsets are marked", async () => {
  const page = await visit("#e=(M,K):(1,ld)+o+64:3");
  const names = page.getByRole("region", { name: "names" });
  const number = (name: string) => names.getByRole("spinbutton", { name: `${name} as a number` });
  expect(await value(page).textContent()).toBe("64:3 if ld == M or M >= 190");
  expect(await names.getByRole("slider").count()).toBe(2);
  expect(await names.locator("li.yes").textContent()).toBe("ld == M or M >= 190 holds");
  const plain = await accents(page, "base");
  await number("M").fill("24");
  await number("ld").fill("25");
  await settled(page);
  expect(await names.locator("li.no").textContent()).toBe("ld == M or M >= 190 fails");
  expect(await names.locator(".verdict").textContent()).toBe("The guard fails here: 56 of 64 offsets differ.");
  expect(await names.locator(".right").textContent()).toContain("(8,8):(3,25)");
  expect(await accents(page, "base")).toBeGreaterThan(plain + 50);
  await expect.poll(() => state(page).get("n")).toBe("M:24,ld:25");
  await shot(page, "names");
  await names.getByRole("slider", { name: "ld" }).fill("24");
  await settled(page);
  expect(await names.locator(".verdict").textContent()).toBe("The guard holds here: the same offsets at all 64 coordinates.");
  await number("M").fill("");
  await expect.poll(() => state(page).get("n")).toBe("ld:24");
  await number("M").blur();
  const shown = await number("M").inputValue();
  expect(shown).toBe("256");
  for (const bad of ["-3", "1.5", "9223372036854775808"]) {
    await number("M").fill(bad);
    expect(await names.getByRole("alert").textContent()).toBe(`M is an integer from 0 to 999999999999999, and stays ${shown}.`);
    await number("M").blur();
    expect(await number("M").inputValue()).toBe(shown);
  }
  await number("M").fill("24");
  expect(await names.getByRole("alert").count()).toBe(0);
  await number("M").pressSequentially("-");
  expect(await names.getByRole("alert").count()).toBe(1);
  await number("M").fill("");
  await expect.poll(() => state(page).get("n")).toBe("ld:24");
  await field(page).fill("(4,8):(8,1)");
  await settled(page);
  expect(await names.count()).toBe(0);
});

test("colours stand for what is chosen", async () => {
  const page = await visit("#e=Sw<3,0,3>+o+0+o+(8,8):(8,1)");
  const menu = pane(page).getByRole("combobox", { name: "colour by" });
  const caption = pane(page).locator(".figure figcaption");
  const grounds = () => picture(page).locator("canvas.base").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  expect(await menu.getByRole("option").allTextContents()).toEqual(["usual", ...wasm.ask("colors", {}).map(({ name }) => name)]);
  const seen = [await grounds()];
  for (const color of ["row", "column", "none"]) {
    await menu.selectOption(color);
    seen.push(await grounds());
    await expect.poll(() => state(page).get("b")).toBe(color);
  }
  expect(new Set(seen).size).toBe(4);
  await menu.selectOption("bank");
  expect(await pane(page).getByRole("spinbutton", { name: "bits" }).isVisible()).toBe(true);
  await shot(page, "colours");
  // What would say nothing is refused beside the usual picture.
  await menu.selectOption("thread");
  expect(await caption.textContent()).toContain("have colours by thread");
  expect(await grounds()).toBe(seen[0]);
});

test("a row of many is wrapped, and its last cell can be reached", async () => {
  const page = await visit("#e=101:3");
  const [rows, columns] = await Promise.all(["aria-rowcount", "aria-colcount"].map((name) => picture(page).getAttribute(name)));
  expect(Number(rows) * Number(columns)).toBeGreaterThan(101);
  await picture(page).focus();
  for (let row = 1; row < Number(rows); row += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  expect(await cells(page).textContent()).toContain("offset300");
});

test("a link holds everything, and opens as it was", async () => {
  const page = await visit("#e=let+A+%3D+(8,16):(20,1)&e=4:1", { permissions: ["clipboard-read", "clipboard-write"] });
  await field(page, 2).fill("size(zipped_divide(A, <4:1,8:2>))");
  await pane(page, 1).getByRole("checkbox", { name: "path" }).check();
  await picture(page, 1).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("+");
  await button(pane(page, 2), "previous operation").click();
  await button(page, "Copy link").click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(page.url());
  expect(link).toMatch(/#e=let\+A\+%3D\+\(8,16\):\(20,1\)&p=1&c=16&z=[^&]*&e=size\(.*&s=0&v=1$/);
  const again = await visit(new URL(link).hash);
  expect(await value(again, 2).textContent()).toBe("128");
  expect(await pane(again, 2).getByRole("region", { name: "explanation" }).textContent()).toContain("1 of 2");
  expect(await pane(again, 2).locator(".shaded").textContent()).toBe("zipped_divide(A, <4:1,8:2>)");
  expect(await pane(again, 1).getByRole("checkbox", { name: "path" }).isChecked()).toBe(true);
  expect(await pane(again, 1).getByRole("region", { name: "cells" }).textContent()).toContain("offset20");
  expect(again.url()).toBe(link);
  // An address that is typed over the old one.
  await again.evaluate(() => (location.hash = "#e=4:2"));
  await expect.poll(() => value(again).textContent()).toBe("4:2");
  expect(await again.getByRole("article").count()).toBe(1);
});

test("a syntax error is underlined at its place", async () => {
  const page = await visit("#e=(4,8):(8,1)");
  await field(page).fill("(4,8):(8,1) o (4,,2)");
  const message = pane(page).getByRole("status").first();
  expect(await message.textContent()).toMatch(/^syntax expected .* at character 18, found `,`/);
  expect(await field(page).getAttribute("aria-invalid")).toBe("true");
  expect(await pane(page).locator(".wrong").textContent()).toBe(",");
  // The line lies under the character and nowhere else.
  const place = await pane(page).evaluate((pane) => {
    const wrong = pane.querySelector(".wrong")!.getBoundingClientRect();
    const field = pane.querySelector("textarea")!;
    const style = getComputedStyle(field);
    const context = document.createElement("canvas").getContext("2d")!;
    context.font = `${style.fontSize} ${style.fontFamily}`;
    const letter = context.measureText("0".repeat(100)).width / 100;
    const start = field.getBoundingClientRect().left + Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.borderLeftWidth);
    return { from: (wrong.left - start) / letter, to: (wrong.right - start) / letter };
  });
  expect(place.from).toBeCloseTo(17, 0);
  expect(place.to).toBeCloseTo(18, 0);
  // The picture from before stays, and steps back.
  expect(await picture(page).isVisible()).toBe(true);
  expect(await pane(page).getAttribute("class")).toContain("stale");
  await shot(page, "syntax-error");
  await field(page).fill("(4,8):(8,1) o ");
  expect(await pane(page).locator(".wrong.empty").count()).toBe(1);
  await field(page).fill("compositon(4:1, 4:1)");
  expect(await message.textContent()).toContain("did you mean `composition`?");
});

test("a refused composition is explained", async () => {
  const page = await visit("#e=(6,2):(1,7)+o+(3,2):(2,3)");
  expect(await pane(page).getByRole("status").first().textContent()).toContain("carry leaves 0 and 1 of the right layout together step past 6");
  const reasons = page.getByRole("region", { name: "explanation" });
  const text = await reasons.textContent();
  for (const part of ["2*2 (leaf 0) + 3*1 (leaf 1) = 7", "carries", "wrong first at (2,1)", "These would fit: (2,2):(2,3)."]) expect(text).toContain(part);
  expect(await reasons.getByRole("img").count()).toBe(2);
  expect(await picture(page).isVisible()).toBe(false);
  await shot(page, "refused");
});

test("an operation within an operation, step by step", async () => {
  const page = await visit("#e=size(coalesce((2,4):(1,2)))");
  const reasons = page.getByRole("region", { name: "explanation" });
  expect(await reasons.locator("h3").textContent()).toBe("size size(coalesce((2,4):(1,2)))");
  await button(reasons, "previous operation").click();
  expect(await reasons.locator("h3").textContent()).toBe("coalesce coalesce((2,4):(1,2))");
  expect(await reasons.textContent()).toContain("2:1 would go on with 2: merged");
  expect(await pane(page).locator(".shaded").textContent()).toBe("coalesce((2,4):(1,2))");
  await button(reasons, "next operation").click();
  expect(await reasons.locator(".count").textContent()).toBe("2 of 2");
});

test("with the keyboard alone", async () => {
  const page = await visit("#e=4:1");
  const name = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  const seen: (string | null | undefined)[] = [];
  for (let presses = 0; presses < 11; presses += 1) {
    await page.keyboard.press("Tab");
    seen.push(await name());
  }
  expect(seen).toEqual(["Examples", "Functions", "Instructions", "Memory", "Formats", "Programs", "Sharding", "New pane", "Copy link", "light or dark", "expression"]);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("comp");
  const list = page.getByRole("listbox", { name: "suggestions" });
  expect(await list.getByRole("option").first().textContent()).toContain("comp");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  const chosen = await list.locator("[aria-selected=true]").getAttribute("id");
  expect(await field(page).getAttribute("aria-activedescendant")).toBe(chosen);
  await shot(page, "suggestions", false);
  await page.keyboard.press("Escape");
  expect(await list.isVisible()).toBe(false);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("blocked_");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("(3,4):(4,1), (2,5):(1,2))");
  expect(await value(page).textContent()).toBe("((3,2),(4,5)):((4,12),(1,24))");
  while ((await name())?.startsWith("picture") !== true) await page.keyboard.press("Tab");
  const ring = () => page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  expect(await ring()).toBe("solid");
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "End", "ArrowLeft", "Home", "ArrowRight"]) await page.keyboard.press(key);
  const heard = () =>
    picture(page).evaluate((grid) => document.getElementById(grid.getAttribute("aria-activedescendant") ?? "")?.textContent);
  expect(await heard()).toBe("index 8, coordinate ((2,0),(1,0)), offset 9");
  await page.keyboard.press(" ");
  await expect.poll(() => state(page).get("c")).toBe("41");
  for (const key of ["+", "+", "Shift+ArrowLeft"]) await page.keyboard.press(key);
  await expect.poll(() => state(page).get("z")).toMatch(/^\d/);
  await page.keyboard.press("0");
  await expect.poll(() => state(page).get("z")).toBeNull();
  await page.keyboard.press("Escape");
  await expect.poll(() => state(page).get("c")).toBeNull();
});

test("wheel, drag and pinch", async () => {
  const page = await visit("#e=(8,8):(8,1)", { hasTouch: true });
  const box = (await picture(page).boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const place = async () => {
    await settled(page);
    await page.waitForTimeout(250);
    return state(page).get("z")?.split(",").map(Number) ?? null;
  };
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  const zoomed = (await place())!;
  expect(zoomed[0]).toBeGreaterThan(2);
  await page.mouse.down();
  await page.mouse.move(x + 50, y + 20, { steps: 4 });
  await page.mouse.up();
  const panned = (await place())!;
  expect([panned[1]! - zoomed[1]!, panned[2]! - zoomed[2]!]).toEqual([50, 20]);
  expect(state(page).get("c"), "a drag pins nothing").toBeNull();
  await page.mouse.dblclick(x, y);
  expect(await place()).toBeNull();
  const touch = await page.context().newCDPSession(page);
  const fingers = (type: "touchStart" | "touchMove" | "touchEnd", apart: number | null) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: apart === null ? [] : [{ x: x - apart, y, id: 0 }, { x: x + apart, y, id: 1 }] });
  await fingers("touchStart", 30);
  for (const apart of [40, 60, 80, 90]) await fingers("touchMove", apart);
  await fingers("touchEnd", null);
  expect((await place())![0]).toBeGreaterThan(2);
});

test("of a number there may be a picture as well", async () => {
  const page = await visit("#e=common_vector((4,8):(1,4),+(4,8):(1,4))");
  expect(await value(page).textContent()).toBe("32");
  expect(await picture(page).isVisible()).toBe(false);
  await pane(page).getByRole("combobox", { name: "show" }).selectOption("common");
  expect(await picture(page).isVisible()).toBe(true);
  await field(page).fill("4");
  expect(await pane(page).getByRole("combobox", { name: "show" }).isVisible()).toBe(false);
});

test("several panes, and names across them", async () => {
  const page = await visit("#e=let+A+%3D+(8,32):(32,1)&a=banks", { colorScheme: "dark" });
  await button(page, "New pane").click();
  await page.keyboard.type("Sw<3,2,3> o 0 o A");
  expect(await value(page, 2).textContent()).toBe("Sw<3,2,3> o 0 o (8,32):(32,1)");
  await pane(page, 2).getByRole("combobox", { name: "show" }).selectOption("banks");
  await field(page, 1).fill("let A = (4,8):(8,1)");
  await settled(page);
  expect(await value(page, 2).textContent()).toBe("Sw<3,2,3> o 0 o (4,8):(8,1)");
  const [first, second] = [(await pane(page, 1).boundingBox())!, (await pane(page, 2).boundingBox())!];
  expect(second.x).toBeGreaterThanOrEqual(first.x + first.width);
  await shot(page, "dark");
  await button(page, "close pane 1").click();
  await settled(page);
  expect(await page.getByRole("article").count()).toBe(1);
  expect(await pane(page).getByRole("status").first().textContent()).toContain("no function or variable `A`");
});

test("saved as SVG, PNG and LaTeX", async () => {
  const page = await visit("#e=(4,8):(8,1)&p=1");
  const saved = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, name).click()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const svg = await saved("save as SVG");
  expect(svg.name).toBe("layout.svg");
  expect(svg.bytes.toString()).toContain('class="title"');
  const errors = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror").length, svg.bytes.toString());
  expect(errors).toBe(0);
  const png = await saved("save as PNG");
  expect([png.name, png.bytes.subarray(1, 4).toString(), png.bytes.readUInt32BE(16)]).toEqual([
    "layout.png",
    "PNG",
    2 * scan(wasm.ask("pane", { text: "(4,8):(8,1)", before: [], view: {} }).picture?.svg ?? "").width,
  ]);
  const tex = await saved("save as LaTeX");
  expect([tex.name, tex.bytes.toString().split("\n")[0]]).toEqual(["layout.tex", "\\documentclass[tikz]{standalone}"]);
});

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** The width of the page, and what reaches beyond it. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) => !element.closest(".scroll, .unseen, dialog:not([open])") && element.getBoundingClientRect().right > innerWidth + 0.5,
    );
    return [document.documentElement.scrollWidth, ...wide.map((element) => element.outerHTML.slice(0, 80))];
  });

/** What is written smaller than this can be read without zooming. */
const smallest = (page: Page) =>
  page.evaluate(() => {
    const written = (element: Element) => [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
    const shown = [...document.querySelectorAll("body *")].filter((element) => written(element) && element.checkVisibility() && !element.closest(".unseen"));
    return Math.min(...shown.map((element) => Number.parseFloat(getComputedStyle(element).fontSize)));
  });

test("at the width of a phone, light and dark", async () => {
  const page = await visit("#e=(4,6,8,10):(2,3,5,7)+o+6:12&c=3&e=((4,8),(8,4)):((1,16),(4,128))&a=banks", {
    ...PHONE,
  });
  expect(await smallest(page)).toBeGreaterThanOrEqual(12);
  expect(await overflow(page)).toEqual([360]);
  const text = "(4,6,8,10):(2,3,5,7) o 6:12";
  const at = await spot(page, wasm.ask("pane", { text, before: [], view: {} }).value!.text, 0, 1);
  await page.touchscreen.tap(at.x, at.y);
  await expect.poll(() => state(page).get("c")).toBe("3.1");
  await shot(page, "narrow");
  await button(page, "light or dark").click();
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await shot(page, "narrow-dark");
  await button(page, "Examples").click();
  await shot(page, "narrow-examples", false);
  await page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: "An Ampere fragment" }).click();
  expect(await value(page, 2).textContent()).toBe("((4,8),2):((2,8),1)");
  expect(await overflow(page)).toEqual([360]);
});

test("65,536 cells on a phone, dark", async () => {
  const page = await visit("#e=(256,256):(256,1)", { ...PHONE, colorScheme: "dark" });
  const caption = pane(page).locator(".figure figcaption");
  expect(await caption.textContent()).toBe("rows 0 to 63 of 256, columns 0 to 63 of 256 draw more");
  expect([await overflow(page), await smallest(page)]).toEqual([[360], expect.closeTo(12.8, 0)]);
  await shot(page, "large");
  await button(page, "draw more").tap();
  await button(page, "draw more").tap();
  expect(await caption.textContent()).toBe("");
  const box = (await picture(page).boundingBox())!;
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(() => cells(page).textContent()).toMatch(/offset32\d{3}/);
  await shot(page, "large-whole");
  // The next text begins anew.
  await field(page).fill("(256,256):(1,256)");
  expect(await caption.textContent()).toContain("rows 0 to 63 of 256");
});

test("what is suggested below an empty pane is seen", async () => {
  const page = await visit("#e=4", PHONE);
  await field(page).fill("");
  await field(page).pressSequentially("divi");
  const last = page.getByRole("option").last();
  // A long list scrolls within itself.
  await last.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await last.boundingBox())!;
  const hit = await last.evaluate((option, [x, y]) => option.contains(document.elementFromPoint(x!, y!)), [x + width / 2, y + height - 4]);
  expect(hit).toBe(true);
  await shot(page, "narrow-suggestions", false);
});

const LOG = `TiledMMA
  ThrLayoutVMNK:  (_32,_1,_1,_1):(_1,_0,_0,_0)
MMA_Atom
  ThrID:      _32:_1
  Shape_MNK:  (_16,_8,_16)
  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))
auto sA = make_layout(make_shape(Int<128>{}, Int<32>{}), LayoutRight{});
`;

/** As a reader does. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+V");
}

test("a log that is pasted offers its layouts", async () => {
  const page = await visit("#e=(3,5):(5,1)", { permissions: ["clipboard-read", "clipboard-write"] });
  const found = page.getByRole("region", { name: "layouts in what was pasted" });
  await field(page).focus();
  await page.keyboard.press("Control+A");
  await paste(page, LOG);
  // The text stays out of the field.
  expect(await field(page).inputValue()).toBe("(3,5):(5,1)");
  expect(await found.getByRole("status").textContent()).toBe("4 layouts in what was pasted");
  const offers = found.getByRole("listitem");
  expect(await offers.allTextContents()).toEqual([
    "line 2 ThrLayoutVMNK(32,1,1,1):(1,0,0,0)+",
    "line 4 ThrID32:1+",
    "line 6 LayoutC_TV((4,8),(2,2)):((32,1),(16,8))+",
    "line 7 auto sA(128,32):(32,1)+",
  ]);
  await offers.nth(2).getByRole("button").first().click();
  expect(await value(page).textContent()).toBe("((4,8),(2,2)):((32,1),(16,8))");
  expect(await field(page).inputValue()).toBe("((4,8),(2,2)):((32,1),(16,8))");
  const chosen = found.locator("[aria-current=true]");
  expect(await chosen.count()).toBe(1);
  await field(page).pressSequentially(" o 2");
  expect(await chosen.count()).toBe(0);
  await offers.nth(2).getByRole("button").first().click();
  await button(found, "line 4 in a new pane").click();
  expect(await value(page, 2).textContent()).toBe("32:1");
  await shot(page, "found");
  // By the keyboard, from the field on.
  await field(page, 1).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await value(page).textContent()).toBe("(32,1,1,1):(1,0,0,0)");
  await page.keyboard.press("Escape");
  expect(await found.isVisible()).toBe(false);
});

test("another text closes the list of a log", async () => {
  const page = await visit("#e=(3,5):(5,1)", { permissions: ["clipboard-read", "clipboard-write"] });
  const found = page.getByRole("region", { name: "layouts in what was pasted" });
  await field(page).focus();
  await page.keyboard.press("Control+A");
  await paste(page, LOG);
  expect(await found.isVisible()).toBe(true);
  await field(page).fill("4:1");
  expect(await found.isVisible()).toBe(false);
});

test("the page says what it is, and emitted text is the whole function", async () => {
  const page = await visit("#e=emit+(8,8):(8,1)(i,+j)+as+cuda");
  expect(await page.locator(".about").textContent()).toContain("Write a CuTe layout, such as (4,8):(8,1)");
  expect(await value(page).textContent()).toContain("inline uint32_t offset(uint32_t i, uint32_t j) {\n    return i*8 + j;\n}");
});

test("a picture that is not there offers no more of it", async () => {
  const page = await visit("#e=(256,256):(256,1)");
  expect(await button(page, "draw more").isVisible()).toBe(true);
  await field(page).fill("size((4,8))");
  await settled(page);
  expect(await button(page, "draw more").count()).toBe(0);
});

test("names begin at numbers that tiles divide", async () => {
  const page = await visit("#e=(M,K):(K,1)+/+<64,32>");
  const number = (name: string) => page.getByRole("spinbutton", { name: `${name} as a number` }).inputValue();
  expect([await number("M"), await number("K")]).toEqual(["64", "32"]);
});

test("operands on a phone have numbers that can be read, and six cells are whole", async () => {
  const phone = await visit("#e=(8,16):(20,1)+/+<4,8:2>", { viewport: { width: 390, height: 844 } });
  const image = phone.getByRole("region", { name: "explanation" }).getByRole("img").first();
  // The letters of a cell are 13 units high.
  const shown = await image.evaluate((own: HTMLImageElement) => own.getBoundingClientRect().width / own.naturalWidth);
  expect(13 * shown).toBeGreaterThan(9);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const page = await visit("#e=((2,2),(4,2)):((1,8),(2,16))&c=0.9.17.21.25.30");
  const scroll = cells(page).locator(".scroll");
  expect(await scroll.evaluate((own) => own.scrollWidth - own.clientWidth)).toBe(0);
});

test("a line that is pasted stays, and offers what is in it; an expression offers nothing", async () => {
  const page = await visit("#e=4", { permissions: ["clipboard-read", "clipboard-write"] });
  const found = page.getByRole("region", { name: "layouts in what was pasted" });
  const line = "sA: smem_ptr[16b](0x400) o Sw<3,3,3> o _0 o (_8,_64):(_64,_1) (swizzled)";
  await field(page).focus();
  await page.keyboard.press("Control+A");
  await paste(page, line);
  expect(await field(page).inputValue()).toBe(line);
  await found.getByRole("button").nth(1).click();
  expect(await value(page).textContent()).toBe("smem_ptr[16b] o Sw<3,3,3> o 0 o (8,64):(64,1)");
  await field(page).focus();
  await page.keyboard.press("Control+A");
  await paste(page, "let A = (4,8):(8,1);\nA o 4:8");
  expect(await found.isVisible()).toBe(false);
  expect(await value(page).textContent()).toBe("4:2");
});

test("what is said of a function can be read on a phone, and its example tried", async () => {
  const page = await visit("#e=4:1", { ...PHONE, colorScheme: "dark" });
  await button(page, "Functions").tap();
  const dialog = page.getByRole("dialog", { name: "Functions" });
  const all = wasm.ask("functions", {});
  expect(await dialog.getByRole("status").textContent()).toBe(`${all.length} functions`);
  expect(await dialog.locator("details").count()).toBe(all.length);
  await shot(page, "functions", false);
  await dialog.getByRole("searchbox").fill("zipped_divide");
  await dialog.locator("summary:visible", { hasText: "zipped_divide(" }).tap();
  const { definition, examples, cute, errors } = all.find(({ name }) => name === "zipped_divide")!;
  await dialog.locator("details[open] dl").waitFor();
  const told = await dialog.locator("details[open]").textContent();
  for (const part of [definition, ...examples.flat(), ...cute, errors]) expect(told).toContain(part);
  await shot(page, "function", false);
  expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await dialog.locator("details[open] dd button").first().tap();
  expect(await value(page, 2).textContent()).toBe(examples[0]![1]);
});

test("an example does not take away what was there", async () => {
  const page = await visit("#e=(3,5):(5,1)");
  expect(await page.title()).toBe("(3,5):(5,1) – tilework explorer");
  await button(page, "Examples").click();
  await page.getByRole("dialog", { name: "Examples" }).getByRole("button", { name: /^Row-major/ }).click();
  expect(await value(page).textContent()).toBe("(4,8):(8,1)");
  await page.goBack();
  await expect.poll(() => value(page).textContent()).toBe("(3,5):(5,1)");
  await page.goForward();
  await expect.poll(() => value(page).textContent()).toBe("(4,8):(8,1)");
});

test("an instruction is searched for, chosen and drawn", async () => {
  const page = await visit("#e=(3,5):(5,1)");
  await button(page, "Instructions").click();
  const dialog = page.getByRole("dialog", { name: "Instructions" });
  expect(await dialog.getByRole("status").textContent()).toMatch(/^1\d,\d{3} instructions$/);
  await dialog.getByRole("button", { name: "RDNA4", exact: true }).click();
  expect(await dialog.getByRole("status").textContent()).toBe("11 instructions");
  await dialog.getByRole("searchbox").fill("sm80 f64");
  await shot(page, "instructions", false);
  await dialog.getByRole("button", { name: "SM80_8x8x4_F64F64F64F64_TN" }).click();
  expect(await value(page, 2).textContent()).toBe("atom(SM80_8x8x4_F64F64F64F64_TN)");
  const facts = pane(page, 2).locator(".facts");
  await expect.poll(() => facts.textContent()).toContain("((4,8),2):((16,1),8)");
  await settled(page);
  await shot(page, "instruction");
});

test("every example is drawn without a word beyond its place", async () => {
  const page = await visit();
  const titles = await page.locator("dialog .examples strong").allTextContents();
  for (const title of titles) {
    await button(page, "Examples").click();
    await page.getByRole("dialog", { name: "Examples" }).locator("button", { has: page.locator(`strong:text-is("${title}")`) }).click();
    await settled(page);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".pane :is(h2, h3, h4, p, dd, dt, figcaption, button)")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
        .map((element) => element.textContent),
    );
    expect(cut, title).toEqual([]);
  }
  expect(titles.length).toBeGreaterThan(20);
});

// Told and not held: how long anything takes depends on what else the machine does.
test("how long it takes", async () => {
  for (const side of [32, 256]) console.log(await timesOfKeys(side));
});

async function timesOfKeys(side: number): Promise<string> {
  const page = await visit(`#e=(${side},${side}):(${side},1)`);
  await page.waitForTimeout(300);
  return page.evaluate(async (side) => {
    const field = document.querySelector("textarea")!;
    const painted = () =>
      new Promise((resolve) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = resolve;
          channel.port2.postMessage(0);
        }),
      );
    const [script, frame]: [number[], number[]] = [[], []];
    for (let key = 0; key < 41; key += 1) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      await painted();
      const start = performance.now();
      field.value = `(${side},${side}):(${side + (key % 3)},1)`;
      field.dispatchEvent(new Event("input"));
      script.push(performance.now() - start);
      await painted();
      frame.push(performance.now() - start);
    }
    const middle = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1]!.toFixed(1);
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime.toFixed(0);
    return `first paint ${paint} ms; a key in a ${side}x${side} layout ${middle(script)} ms, with the frame it is seen in ${middle(frame)} ms`;
  }, side);
}

/** What a pane shows, part by part. */
function parts(pane: Element): { value: string; picture: string; facts: string[]; reasons: string; stale: boolean; caption: string } {
  const text = (selector: string) => {
    const element = pane.querySelector<HTMLElement>(selector);
    return element?.checkVisibility() ? (element.textContent ?? "") : "";
  };
  return {
    value: text(".result code"),
    picture: pane.querySelector(".picture")?.checkVisibility() ? (pane.querySelector(".picture")?.getAttribute("aria-label") ?? "") : "",
    facts: [...pane.querySelectorAll(".facts dl > div")].map((row) => row.textContent ?? ""),
    reasons: text(".explanation h3 code"),
    stale: pane.classList.contains("stale"),
    caption: text(".figure figcaption"),
  };
}

/** The same, from the answers to a question. */
function answered(text: string, before: string[]): ReturnType<typeof parts> {
  const source = { text, before };
  const { value, facts, picture, operations, error } = wasm.ask("pane", { ...source, view: {} });
  const reasons = operations.length > 0 ? wasm.ask("operation", { ...source, view: {}, number: operations.length - 1 }) : null;
  return {
    value: value?.text ?? "",
    picture: picture ? `picture of ${value?.text ?? ""}, arrow keys go from cell to cell` : "",
    facts: facts.map(({ name, value }) => (name.startsWith("is_") ? name.slice(3) + (value === "true" ? "yes" : "no") : name + value)),
    reasons: reasons && reasons.name !== "value" ? reasons.expression : "",
    stale: error !== null && operations.at(-1)?.refused !== true,
    caption: picture?.caption ?? "",
  };
}

/** Keys that come faster than frames, one after another in a single task of the browser: no time passes between a key and its answer. */
test("all that is visible answers one question, whatever is typed and how fast", async () => {
  const texts = [
    "let A = zipped_divide((4,8):(8,1), <2,4>)",
    "let A = (8,8):(8,1) o ((4,8),2):((16,1),8)",
    "let A = (6,2):(1,7) o (3,2):(2,3)",
    "let A = size((4,8))",
    "let A = Sw<3,0,3> o 0 o (8,8):(8,1)",
  ];
  const later = "A o 2:1";
  const page = await visit(`#e=let+A=4:1&e=${encodeURIComponent(later)}`);
  const typed = texts.flatMap((text) => [...text].map((_, at) => text.slice(0, at + 1)));
  await page.evaluate(`globalThis.parts = ${parts.toString()}`);
  const seen = await page.evaluate((typed) => {
    const parts = (globalThis as unknown as { parts: (pane: Element) => unknown }).parts;
    const [first, second] = [...document.querySelectorAll("article.pane")] as [Element, Element];
    const field = first.querySelector("textarea")!;
    return typed.map((text) => {
      field.value = text;
      field.dispatchEvent(new Event("input"));
      return [parts(first), parts(second)];
    });
  }, typed);
  let [shown, shownLater] = [answered("let A=4:1", []), answered(later, ["let A=4:1"])];
  for (const [at, text] of typed.entries()) {
    const [now, then] = [answered(text, []), answered(later, [text])];
    if (!now.stale) shown = now;
    if (!then.stale) shownLater = then;
    // Of an incomplete expression there is no value, and the rest is the previous one's.
    const expected = [
      { ...shown, value: now.value, stale: now.stale },
      { ...shownLater, value: then.value, stale: then.stale },
    ];
    expect(seen[at], text).toEqual(expected);
  }
});

test("a cell is described for the picture that is there", async () => {
  const page = await visit("#e=(4,8):(8,1)");
  const cell = picture(page).getByRole("gridcell");
  await picture(page).focus();
  await page.keyboard.press("ArrowDown");
  expect(await cell.textContent()).toContain("offset 8");
  await field(page).fill("(4,8):(9,1)");
  expect(await cell.textContent()).toContain("offset 9");
  // The picture of an incomplete expression is the previous one, and so are its cells.
  await field(page).fill("(4,8):(9,");
  await picture(page).focus();
  await page.keyboard.press("ArrowDown");
  expect(await cell.textContent()).toContain("offset 18");
  expect(await cells(page).textContent()).toContain("offset18");
});
