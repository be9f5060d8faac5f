// Storage formats, on the built page.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { settled, shot, visits } from "./browser";

const visit = visits();

const formats = (page: Page) => page.getByRole("article", { name: "formats" });
const name = (page: Page) => formats(page).getByRole("textbox", { name: "format", exact: true });
const size = (page: Page, name: string) => formats(page).getByRole("spinbutton", { name, exact: true });
const element = (page: Page) => page.getByRole("region", { name: "element, formats" });
const sizes = (page: Page) => page.getByRole("region", { name: "sizes, formats" });
const meaning = (page: Page) => page.getByRole("region", { name: "meaning, formats" });
const message = (page: Page) => formats(page).locator(".message");
const state = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

test("a button opens it; words find formats, and one that is chosen is drawn at sizes that it admits", async () => {
  const page = await visit();
  await page.getByRole("button", { name: "Formats", exact: true }).click();
  await settled(page);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("format");
  await name(page).fill("marlin zero");
  const found = page.getByRole("region", { name: "formats with these words" });
  expect(await found.getByRole("status").textContent()).toBe("2 formats");
  await name(page).fill("");
  expect(await found.getByRole("listitem").count()).toBeGreaterThan(130);
  await shot(page, "formats-found");
  await name(page).fill("scale blackwell");
  await found.getByRole("button", { name: /^scale_128x4 / }).first().click();
  await settled(page);
  expect(await name(page).inputValue()).toBe("scale_128x4");
  expect(await found.isVisible()).toBe(false);
  expect([await size(page, "M rows").inputValue(), await size(page, "S factors along K").inputValue()]).toEqual(["40", "7"]);
  expect(await sizes(page).textContent()).toContain("M to 128, a multiple of 128");
  expect(await meaning(page).textContent()).toContain("flashinfer PR 4093");
  await expect.poll(() => state(page).get("format")).toBe("scale_128x4");
  await shot(page, "formats");
  await name(page).press("Escape");
  await expect.poll(() => state(page).get("format")).toBeNull();
  expect(await formats(page).count()).toBe(0);
  // It opens as it was.
  await page.getByRole("button", { name: "Formats", exact: true }).click();
  expect(await name(page).inputValue()).toBe("scale_128x4");
});

test("an element and its place are described, on both sides", async () => {
  const page = await visit("#format=awq_gemm&sizes=K:2,N:16");
  const grid = formats(page).getByRole("grid");
  await grid.focus();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
  expect(await element(page).textContent()).toBe("Element (0,3)offset 5, byte 2, nibble 5, bit 20: bit 4 of its byte, the lowest is 0");
  expect(await page.locator(`[id="${await grid.getAttribute("aria-activedescendant")}"]`).textContent()).toContain("element (0,3): offset 5");
  await shot(page, "formats-element");
  const accents = await grid.locator("canvas.over").evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) if (data[at] === 213 && data[at + 1] === 94 && data[at + 2] === 0) found += 1;
    return found;
  });
  expect(accents).toBeGreaterThan(50);
  await page.keyboard.press("Escape");
  expect(await element(page).textContent()).toContain("Point at an element");
});

test("sizes that the format does not admit are refused in its sentence, while they are written too", async () => {
  const page = await visit("#format=marlin_4");
  await size(page, "K rows").fill("100");
  expect(await message(page).textContent()).toBe("size K must be a multiple of 16: marlin_4 packs 16 rows; 100 given");
  expect(await size(page, "K rows").inputValue()).toBe("100");
  await shot(page, "formats-refused");
  await size(page, "K rows").fill("32");
  expect(await message(page).textContent()).toBe("");
  expect(await sizes(page).textContent()).toContain("int32 [2, 128]");
  await expect.poll(() => state(page).get("sizes")).toBe("K:32");
});

test("the pieces of a block have colours, and each can be chosen; in the dark", async () => {
  const page = await visit("#format=ggml_q4_K&sizes=N:1", { colorScheme: "dark" });
  await meaning(page).getByRole("button", { name: "ggml_q4_K.scales", exact: true }).click();
  await settled(page);
  expect(await name(page).inputValue()).toBe("ggml_q4_K.scales");
  await shot(page, "formats-pieces");
  await formats(page).getByRole("combobox", { name: "colour by" }).selectOption("byte");
  await expect.poll(() => state(page).get("by")).toBe("byte");
});

test("it is read on a telephone", async () => {
  const page = await visit("#format=ggml_q4_0&sizes=N:1,K:64", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot(page, "formats-narrow");
  await name(page).fill("");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot(page, "formats-narrow-list", false);
});
