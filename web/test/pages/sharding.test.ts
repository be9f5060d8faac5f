// A tensor on many devices, on the built page.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { settled, shot, visits } from "./browser";

const visit = visits();

const LINK = "#shape=(1024,512)&mesh=x=2,y=4&spec=P(x,+y)&to=P(x)";
const sharding = (page: Page) => page.getByRole("article", { name: "sharding" });
const line = (page: Page, name: string) => sharding(page).getByRole("textbox", { name, exact: true });
const block = (page: Page) => page.getByRole("region", { name: "block, sharding" });
const plan = (page: Page) => page.getByRole("region", { name: "plan, sharding" });
const state = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

test("a button opens it, lines are answered as they are typed, and the address has them", async () => {
  const page = await visit();
  await page.getByRole("button", { name: "Sharding" }).click();
  await settled(page);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("shape");
  expect(await plan(page).textContent()).toContain("1. all-gather along y: joins dimension 1");
  await line(page, "spec").fill("[Shard(1), Replicate()]");
  await line(page, "to").fill("");
  await settled(page);
  expect(await sharding(page).getByRole("group", { name: "value" }).textContent()).toContain("((2,4),(1024,256)):((256@1,0),(1@0,1@1))");
  expect(await plan(page).isVisible()).toBe(false);
  await expect.poll(() => state(page).get("spec")).toBe("[Shard(1), Replicate()]");
  expect(state(page).get("to")).toBeNull();
  await shot(page, "sharding-beside");
  await page.getByRole("button", { name: "close sharding" }).click();
  await expect.poll(() => state(page).get("shape")).toBeNull();
  expect(await sharding(page).count()).toBe(0);
});

test("a block says who holds it and where; a device that is chosen has its messages shown", async () => {
  const page = await visit(LINK);
  const grid = sharding(page).getByRole("grid");
  await grid.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  expect(await block(page).textContent()).toContain("rows 512..1023, columns 128..255");
  expect(await block(page).textContent()).toContain("(0,0) to (511,127)device 5x=1,y=1");
  expect(await page.locator(`[id="${await grid.getAttribute("aria-activedescendant")}"]`).textContent()).toContain("on device 5");
  await page.keyboard.press("Enter");
  await settled(page);
  expect(await plan(page).textContent()).toContain("Device 5 has afterwards");
  expect(await plan(page).textContent()).toContain("Device 5 sends\n  262144 bytes to device 4");
  await expect.poll(() => state(page).get("device")).toBe("5");
  await shot(page, "sharding-wide");
  const box = (await grid.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2 + 8, box.y + box.height / 2 + 20);
  expect(await block(page).textContent()).toMatch(/device \d/);
  await grid.focus();
  await page.keyboard.press("Escape");
  await expect.poll(() => state(page).get("device")).toBeNull();
});

test("what is wrong is said beside its line, and the page goes on", async () => {
  const page = await visit(LINK);
  // Without text it is not shown.
  const message = sharding(page).locator(".message");
  for (const [name, text, says] of [
    ["mesh", "x=9223372036854775808", "the devices of an axis do not fit in 64 bits"],
    ["mesh", "x", "mesh: expected an axis such as `x=2`"],
    ["spec", "P(z)", "the mesh x=2,y=4 has no axis `z`"],
    ["shape", "", "expected an expression"],
    ["to", "P(x, x)", "divides the tensor twice"],
  ] as const) {
    const before = await line(page, name).inputValue();
    await line(page, name).fill(text);
    expect(await message.textContent()).toContain(says);
    expect(await line(page, name).getAttribute("aria-invalid")).toBe("true");
    await line(page, name).fill(before);
    expect(await message.textContent()).toBe("");
  }
  await line(page, "spec").fill("P(z)");
  await shot(page, "sharding-refused");
});

test("a shape may use the names of other panes", async () => {
  const page = await visit("#e=let+N+%3D+64&shape=(N,8)&mesh=x=4&spec=P(x)");
  const value = sharding(page).getByRole("group", { name: "value" });
  expect(await value.textContent()).toContain("((4),(16,8))");
  await page.getByRole("textbox", { name: "expression", exact: true }).fill("let N = 128");
  await settled(page);
  expect(await value.textContent()).toContain("((4),(32,8))");
});

test("it is read in the dark and on a telephone", async () => {
  await shot(await visit(LINK, { colorScheme: "dark" }), "sharding-dark");
  const page = await visit(LINK, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await shot(page, "sharding-narrow");
});
