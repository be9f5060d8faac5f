// The built page is one file that needs nothing beside it.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bytes } from "../wasm";

const dist = new URL("../../dist/", import.meta.url);
const page = readFileSync(new URL("index.html", dist), "utf8");
const [, script = ""] = /<script type="module">(.*)<\/script>/s.exec(page) ?? [];

test("there is no other file, and no address of one", () => {
  expect(readdirSync(dist)).toEqual(["index.html"]);
  const addresses = [...page.matchAll(/\b(?:src|href)="([^"]*)"|\burl\(["']?([^"')]*)|@import/g)].map(([, attribute, url]) => attribute ?? url);
  expect(addresses.map((address) => address?.slice(0, 5))).toEqual(["data:"]);
  expect(page.match(/<script\b/g)).toHaveLength(1);
  expect(script).not.toMatch(/\bfetch\(|\bimport\b|XMLHttpRequest|importScripts|new Worker/);
  const servers = new Set(page.match(/https?:\/\/[^/"'`\s]+/g));
  expect([...servers]).toEqual(["http://www.w3.org"]);
});

test("the policy allows this script, and no request", () => {
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
  expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval';`);
  expect(policy).not.toMatch(/connect-src|'self'/);
});

test("the module that was built is in it", () => {
  const packed = /data:application\/gzip;base64,([A-Za-z0-9+/=]+)/.exec(script)?.[1] ?? "";
  expect(gunzipSync(Buffer.from(packed, "base64")).equals(bytes())).toBe(true);
  expect(page.length).toBeLessThan(1_865_000);
});
