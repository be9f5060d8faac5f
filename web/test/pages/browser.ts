// Debian's Chromium on the built page: opened as a file, or served by any web server under any path.

import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const PAGE = new URL("../../dist/index.html", import.meta.url);

interface Explorer {
  page: Page;
  /** What the page asked of others, or threw. */
  troubles: string[];
}

/**
 * `WAY=served`, or as a file where nothing is said. It is the same file, and another origin: `test:served` runs what opens each page, and
 * what has to do with addresses, the history, the clipboard, downloads and what the browser remembers.
 */
const SERVED = process.env["WAY"] === "served";

class Stage {
  private constructor(
    private readonly server: Server | null,
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async open(): Promise<Stage> {
    const server = SERVED ? await serve("/a/folder/explorer.html") : null;
    const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
    const browser = await chromium.launch({ executablePath, args: FLAGS.split(" ") });
    const port = (server?.address() as AddressInfo | null)?.port;
    return new Stage(server, browser, port ? `http://127.0.0.1:${port}/a/folder/explorer.html` : PAGE.href);
  }

  async close(): Promise<void> {
    await this.browser.close();
    this.server?.close();
  }

  async visit(hash = "", options: BrowserContextOptions = {}): Promise<Explorer> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on("request", (request) => {
      if (!/^(blob|data):/.test(request.url()) && request.url().split("#")[0] !== this.url) troubles.push(request.url());
    });
    page.on("pageerror", (error) => troubles.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(message.text());
    });
    await page.goto(this.url + hash);
    await page.waitForSelector("html[data-ready]");
    await settled(page);
    return { page, troubles };
  }
}

/** Opens pages for the tests of a file. After each test they are closed; none threw, or asked another server. */
export function visits(): (...wanted: Parameters<Stage["visit"]>) => Promise<Page> {
  let stage: Stage;
  let open: Explorer[] = [];
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(() => stage.close());
  afterEach(async () => {
    const visited = open;
    open = [];
    await Promise.all(visited.map(({ page }) => page.context().close()));
    expect(visited.flatMap(({ troubles }) => troubles)).toEqual([]);
  });
  return async (...wanted) => {
    const explorer = await stage.visit(...wanted);
    open.push(explorer);
    return explorer.page;
  };
}

/** The page at this path, and nothing anywhere else. */
function serve(path: string): Promise<Server> {
  const server = createServer((request, response) => {
    const found = request.url === path;
    response.writeHead(found ? 200 : 404, { "Content-Type": "text/html; charset=utf-8" });
    response.end(found ? readFileSync(PAGE) : "");
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** Some frames, after which the picture is drawn, and what images need to be drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 4; frames += 1) await new Promise(requestAnimationFrame);
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
}

/** A picture of the page for people, which git ignores. */
export async function shot(page: Page, name: string, fullPage = true): Promise<void> {
  const folder = new URL(`../../shots/${SERVED ? "served" : "file"}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  await settled(page);
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)), fullPage });
}
