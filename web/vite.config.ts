import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  build: { target: "es2023", modulePreload: { polyfill: false } },
  plugins: [oneFile()],
  test: { testTimeout: 240_000, hookTimeout: 60_000 },
});

/** Script and style go into the page: a browser loads neither beside a file that was opened by a double click. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const take = (extension: string): string => {
        const names = Object.keys(bundle).filter((name) => name.endsWith(extension));
        const [file, ...more] = names.map((name) => bundle[name]);
        if (!file || more.length > 0) this.error(`one ${extension} is wanted, found ${names.join(", ")}`);
        for (const name of names) delete bundle[name];
        return file.type === "chunk" ? file.code : String(file.source);
      };
      const script = take(".js").replaceAll("</script", "<\\/script");
      const style = take(".css");
      const page = bundle["index.html"];
      if (page?.type !== "asset") this.error("no index.html");
      const hash = createHash("sha256").update(script).digest("base64");
      // Nothing is asked of any server, and no other script runs.
      const policy = `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'`;
      page.source = String(page.source)
        .replace(/\s*<link rel="stylesheet"[^>]*>/, () => `\n<style>${style}</style>`)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace("<title>", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<title>`)
        .replace("</body>", () => `<script type="module">${script}</script>\n</body>`);
    },
  };
}
