// A tile of shared memory, on the built page.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { settled, shot, visits } from "./browser";

const visit = visits();

const memory = (page: Page) => page.getByRole("article", { name: "memory" });
const line = (page: Page, name: string) => memory(page).getByRole("textbox", { name, exact: true });
const said = (page: Page) => memory(page).getByRole("definition").allTextContents();
const state = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

test("a button opens it; banks, swizzle, vector and operand are answered as they are typed", async () => {
  const page = await visit();
  await page.getByRole("button", { name: "Memory" }).click();
  await settled(page);
  expect(await said(page)).toEqual([
    "no conflict: 32 wavefronts; elements of 16 bits",
    "Sw<2,3,3> o 0 o (64,32):(32,1)   access: no conflicts in 32 wavefronts (before 128 wavefronts: lanes 0,2,4,6 access 4 words of bank 0); no smaller swizzle achieves this; elements of 16 bits",
    "8 elements, 128 bits, at 8:64: no instruction is wider; elements of 16 bits",
    "ldmatrix: rows of 16 bytes; elements of 16 bits",
  ]);
  await shot(page, "memory");
  await line(page, "tile").fill("(64,32):(32,1)");
  await line(page, "copy").fill("");
  await line(page, "operand").fill("wgmma.a.k");
  await settled(page);
  const now = await said(page);
  expect(now[0]).toContain("4-way conflict");
  expect(now.length).toBe(3);
  expect(now[2]).toContain("wgmma.a.k: refused: ");
  await expect.poll(() => state(page).get("tile")).toBe("(64,32):(32,1)");
  expect(state(page).get("copy")).toBeNull();
  await page.getByRole("button", { name: "close memory" }).click();
  await expect.poll(() => state(page).get("tile")).toBeNull();
});

test("what is wrong is said, on a phone too", async () => {
  const page = await visit("#tile=(64,32&access=ldmatrix&width=16", { viewport: { width: 390, height: 844 } });
  expect(await memory(page).getByRole("status").textContent()).toContain("syntax");
  await line(page, "tile").fill("(64,32):(32,1)");
  await line(page, "access").fill("ldmatrx");
  await settled(page);
  expect((await said(page))[0]).toContain("ldmatrix");
  await line(page, "access").fill("ldmatrix");
  await shot(page, "memory-narrow");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
