// The page around carom: says what is missing, loads the program with a bar of the bytes that are there, and makes way for it.
//
// The program writes how far it has come to `data-state` and `data-reason` of the body: `ready` with its first picture, or `failed`. What it tells the person is in
// `data-notice` too, as a canvas cannot be heard; `data-title` is the title of the scene, `data-tick` what a tick takes (milliseconds, for tests), `data-cover` is `page` while the start page
// is shown and `panel` while the panel covers the table, and `data-ask` asks for a file.

const { body } = document;
const bar = document.getElementById("bar");
const canvas = document.getElementById("carom");
const full = document.getElementById("full");

// Until the program draws it.
const chosen = ["light", "dark"].find((name) => name === new URLSearchParams(location.search).get("theme"));
const light = matchMedia("(prefers-color-scheme: light)");
function dress() {
  document.documentElement.dataset.theme = chosen ?? (light.matches ? "light" : "dark");
}
light.addEventListener("change", dress);
dress();

function say(words) {
  document.getElementById("words").textContent = words;
}

// What has failed stays so, whatever is left of the program says.
let ended = false;

function fail(words) {
  ended = true;
  body.dataset.state = "failed";
  say(words);
}

// A figure in a lesson does not take the keyboard from it before it is touched.
if (self !== top) {
  canvas.focus = () => {};
  const touched = () => {
    delete canvas.focus;
    canvas.focus();
  };
  addEventListener("pointerdown", touched, { once: true, capture: true });
}

/** What the browser lacks, in words; nothing where it has all. */
function lacking() {
  // A module of one function that makes a vector.
  const simd = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
  if (!globalThis.WebAssembly?.validate(simd)) {
    return "carom needs WebAssembly with SIMD, which this browser does not have. Browsers from 2023 on have it: please update this one.";
  }
  if (!document.createElement("canvas").getContext("webgl2")) {
    return "carom draws with WebGL 2, which this browser does not offer here. Switch on hardware acceleration in its settings, update its graphics driver, or use another browser.";
  }
}

/** The response, with the bar kept at the bytes of it that are there. */
function watched(response, total) {
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  let loaded = 0;
  const count = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      bar.value = Math.min(loaded / total, 1);
      say(`Loading: ${megabytes(loaded)} of ${megabytes(total)} MB`);
      controller.enqueue(chunk);
    },
    flush() {
      say("Starting");
      bar.removeAttribute("value");
    },
  });
  return new Response(response.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}

async function load() {
  const problem = lacking();
  if (problem) return fail(problem);
  const { bytes, version } = body.dataset;
  const program = await import(`./carom.js?v=${version}`);
  const response = await fetch(`carom_bg.wasm?v=${version}`);
  if (!response.ok) throw new Error(`the server answers ${response.status} ${response.statusText}`);
  await program.default({ module_or_path: watched(response, Number(bytes)) });
}

// Whatever ends the program ends it for good.
function stopped(error) {
  const text = String(error?.message ?? error);
  // This is how its event loop leaves the way free for the browser.
  if (text.includes("Using exceptions for control flow")) return;
  if (body.dataset.state === "loading") fail(`carom could not be started (${text}). Reload the page to try again.`);
  else if (error instanceof WebAssembly.RuntimeError || error?.stack?.includes("carom_bg.wasm")) fail(`carom has stopped (${text}). Reload the page to go on.`);
}

new MutationObserver(() => {
  const { state, reason } = body.dataset;
  if (ended && state !== "failed") body.dataset.state = "failed";
  if (state === "failed" && reason) say(reason);
  if (state === "ready" && !performance.getEntriesByName("first picture").length) performance.mark("first picture");
  if (state === "ready" && !ended && document.activeElement === body) canvas.focus();
  document.getElementById("notices").textContent = body.dataset.notice ?? "";
  if (body.dataset.title) document.title = body.dataset.title;
  if (body.dataset.ask === "open") {
    delete body.dataset.ask;
    chooser.click();
  }
}).observe(body, { attributes: true, attributeFilter: ["data-state", "data-ask", "data-notice", "data-title"] });

canvas.addEventListener("webglcontextlost", () => fail("The browser has taken the graphics from this page. Reload it to go on."));

// A link is one to another beginning.
addEventListener("hashchange", () => location.reload());

addEventListener("error", (event) => stopped(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => stopped(event.reason));

// Keys that are the browser's, before the program takes them.
addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (event.key === "F5" || event.key === "F12" || (command && event.code === "KeyR")) event.stopImmediatePropagation();
  // The program takes every key from the browser; with these it would take the clipboard.
  if (command && ["KeyC", "KeyX", "KeyV"].includes(event.code)) event.preventDefault = () => {};
}, { capture: true });
// Safari zooms the page with two fingers whatever else is said.
addEventListener("gesturestart", (event) => event.preventDefault());

// Files that are chosen or dropped go into a list that the program empties.
const files = (globalThis.caromFiles = []);
const chooser = Object.assign(document.createElement("input"), { type: "file", accept: ".ron" });

async function take(list) {
  for (const file of list) files.push(["dropped", file.name, new Uint8Array(await file.arrayBuffer())]);
}

chooser.addEventListener("change", async () => {
  await take(chooser.files).catch((error) => console.error(error));
  chooser.value = "";
});
addEventListener("dragenter", (event) => {
  // Their names are told when they are dropped, and not before.
  if (event.relatedTarget === null && event.dataTransfer?.types.includes("Files")) files.push(["over", "scene.ron"]);
});
addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) files.push(["gone", ""]);
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  files.push(["gone", ""]);
  take(event.dataTransfer?.files ?? []).catch((error) => console.error(error));
});

if (document.fullscreenEnabled) {
  full.hidden = false;
  full.addEventListener("click", () => {
    document.documentElement.requestFullscreen().catch((error) => console.warn(error));
    canvas.focus();
  });
}

load().catch(stopped);
