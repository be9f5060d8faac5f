// GPU programs, on the built page.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { settled, shot, visits } from "./browser";

const visit = visits();

const TRANSPOSE = `kernel transpose 256 threads, grid (ceil(M/32),ceil(N/32))
read A f32 (M,N):(lda,1)
write B f32 (M,N):(1,ldb)
shared s f32 (32,32):(32,1)
s[t (32,8):(1@1,1@0), v 4:8@0] = A[b0 32@0, b1 32@1, t (32,8):(1@1,1@0), v 4:8@0] else 0
barrier
B[b0 32@0, b1 32@1, t (32,8):(1@0,1@1), v 4:8@1] = s[t (32,8):(1@0,1@1), v 4:8@1]`;
const LINK = `#kernel=${encodeURIComponent(TRANSPOSE)}&line=7`;

const programs = (page: Page) => page.getByRole("article", { name: "programs" });
const text = (page: Page) => programs(page).getByRole("textbox", { name: "program", exact: true });
const checks = (page: Page) => page.getByRole("region", { name: "checks, programs" });
const verdict = (page: Page) => checks(page).getByRole("status");
const element = (page: Page) => page.getByRole("region", { name: "element, programs" });
const run = (page: Page) => page.getByRole("region", { name: "run, programs" });
const message = (page: Page) => programs(page).locator(".message");
const state = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

test("a button opens it with a program of the library, which is checked, drawn and run; others can be chosen", async () => {
  const page = await visit();
  await page.getByRole("button", { name: "Programs", exact: true }).click();
  await settled(page);
  expect(await text(page).inputValue()).toContain("kernel copy 256 threads");
  await expect.poll(() => verdict(page).textContent()).toContain("Proved for all sizes. Launch if ");
  await expect.poll(() => run(page).textContent()).toContain("3 x 3 x 1 blocks of 256 threads");
  await shot(page, "programs-beside");
  await programs(page).getByRole("combobox", { name: "begin with" }).selectOption("softmax");
  await settled(page);
  expect(await text(page).inputValue()).toContain("kernel softmax");
  await expect.poll(() => verdict(page).textContent()).toContain("Proved for all sizes");
  await text(page).press("Escape");
  await expect.poll(() => state(page).get("kernel")).toBeNull();
  await page.getByRole("button", { name: "Programs", exact: true }).click();
  expect(await text(page).inputValue()).toContain("kernel softmax");
});

test("conflicts are seen, and what is wrong is said as it is typed, with its line", async () => {
  const page = await visit(LINK);
  const grid = programs(page).getByRole("grid");
  expect(await programs(page).getByRole("combobox", { name: "picture of" }).inputValue()).toBe("7");
  await grid.focus();
  await page.keyboard.press("ArrowDown");
  expect(await element(page).textContent()).toContain("thread");
  await shot(page, "programs");
  await text(page).fill(TRANSPOSE.replace("barrier\n", ""));
  await expect.poll(() => verdict(page).textContent()).toContain("It is wrong");
  await shot(page, "programs-wrong");
  await checks(page).getByRole("listitem").first().getByRole("button").click();
  expect(await text(page).evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd))).toMatch(/^B\[b0 32@0/);
  await expect.poll(() => state(page).get("kernel")).toBe(TRANSPOSE.replace("barrier\n", ""));
  await text(page).fill(TRANSPOSE.replace("barrier", "barier"));
  expect(await message(page).textContent()).toMatch(/^line 6 /);
  expect(await text(page).getAttribute("aria-invalid")).toBe("true");
  expect(await grid.isVisible()).toBe(true);
  await expect.poll(() => verdict(page).textContent()).toBe("It is not a program yet");
  await shot(page, "programs-syntax");
});

test("source text and sizes", async () => {
  const page = await visit(LINK, { colorScheme: "dark" });
  await programs(page).getByText("Source text").click();
  await expect.poll(() => programs(page).locator(".source").textContent()).toContain("@compute");
  await programs(page).getByRole("combobox", { name: "language" }).selectOption("cuda");
  await expect.poll(() => programs(page).locator(".source").textContent()).toContain("__global__");
  await expect.poll(() => state(page).get("emit")).toBe("cuda");
  await run(page).getByRole("spinbutton", { name: "N", exact: true }).fill("45");
  expect(await run(page).textContent()).toContain("transpose at M=70, N=45, lda=45, ldb=70: 3 x 2 x 1 blocks of 256 threads");
  await expect.poll(() => state(page).get("run")).toBe("N:45");
  await shot(page, "programs-dark");
});

test("it is read on a telephone", async () => {
  const page = await visit(LINK, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await expect.poll(() => verdict(page).textContent()).toContain("Proved");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot(page, "programs-narrow");
});
