import "./style.css";
import { h } from "./dom";
import { Engine } from "./engine";
import { Page } from "./page";
import module from "./wasm/tilework_web.wasm.gz?url&inline";

const root = document.getElementById("page") as HTMLElement;

try {
  new Page(await Engine.load(module), root);
  document.documentElement.dataset["ready"] = "true";
} catch (error) {
  root.replaceChildren(h("p", { class: "failure", role: "alert" }, `The explorer cannot start: ${String(error)}`));
}
