// Debian's Chromium on the built page, served as any web server would.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { preview, type PreviewServer } from "vite";

const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export interface Explorer {
  page: Page;
  /** What the page asked of others, or threw. */
  troubles: string[];
}

export class Stage {
  private constructor(
    private readonly server: PreviewServer,
    private readonly browser: Browser,
    readonly url: string,
  ) {}

  static async open(): Promise<Stage> {
    const server = await preview({ root: ROOT, logLevel: "error", preview: { host: "127.0.0.1", port: 4280 } });
    const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
    const browser = await chromium.launch({ executablePath, args: FLAGS.split(" ") });
    return new Stage(server, browser, server.resolvedUrls?.local[0] ?? "");
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.server.close();
  }

  async visit(hash = "", options: BrowserContextOptions = {}): Promise<Explorer> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on("request", (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(this.url)) troubles.push(request.url());
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

/** Two frames, after which facts and reasons are there too, and what images need to be drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 4; frames += 1) await new Promise(requestAnimationFrame);
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
}

/** A picture of the page for people, which git ignores. */
export async function shot(page: Page, name: string, fullPage = true): Promise<void> {
  const folder = new URL("../../shots/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  await settled(page);
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)), fullPage });
}
