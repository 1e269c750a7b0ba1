// The page around carom: reports missing browser features, shows the progress of the download, and starts the program.
//
// The program writes these attributes of the body:
//
// | attribute | value |
// |---|---|
// | `data-state`, `data-reason` | `ready` after the first frame; or `failed`, and why |
// | `data-notice` | the current notice, for screen readers, which cannot read a canvas |
// | `data-title` | the title of the scene |
// | `data-tick` | the duration of a tick, milliseconds, for tests |
// | `data-cover` | `page` while the start page is open, `panel` while the panel covers the table |
// | `data-ask` | `open` to request a file |

const { body } = document;
const bar = document.getElementById("bar");
const canvas = document.getElementById("carom");
const full = document.getElementById("full");

// The colours until the program draws.
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

// A failure is final, whatever the rest of the program reports.
let ended = false;

function fail(words) {
  ended = true;
  body.dataset.state = "failed";
  say(words);
}

// In a lesson, a figure takes the keyboard focus only after a click or touch.
if (self !== top) {
  canvas.focus = () => {};
  const touched = () => {
    delete canvas.focus;
    canvas.focus();
  };
  addEventListener("pointerdown", touched, { once: true, capture: true });
}

/** A message about a missing browser feature; nothing if all are there. */
function lacking() {
  // A module with one function that creates a SIMD vector.
  const simd = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);
  if (!globalThis.WebAssembly?.validate(simd)) {
    return "carom needs WebAssembly with SIMD, which this browser does not have. Browsers from 2023 on have it: please update this one.";
  }
  if (!document.createElement("canvas").getContext("webgl2")) {
    return "carom draws with WebGL 2, which this browser does not offer here. Switch on hardware acceleration in its settings, update its graphics driver, or use another browser.";
  }
}

/** The response; the bar shows the share that has been downloaded. */
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

// An error that ends the program is final.
function stopped(error) {
  const text = String(error?.message ?? error);
  // Not an error: the event loop throws this to return control to the browser.
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

// A link sets the initial state, so a new one needs a reload.
addEventListener("hashchange", () => location.reload());

addEventListener("error", (event) => stopped(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => stopped(event.reason));

// Keeps some keys for the browser, before the program takes them.
addEventListener("keydown", (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (event.key === "F5" || event.key === "F12" || (command && event.code === "KeyR")) event.stopImmediatePropagation();
  // The program prevents the default action of every key. For these keys that would disable the clipboard.
  if (command && ["KeyC", "KeyX", "KeyV"].includes(event.code)) event.preventDefault = () => {};
}, { capture: true });
// Safari ignores all other ways to disable zooming with two fingers.
addEventListener("gesturestart", (event) => event.preventDefault());

// Chosen and dropped files go into a list that the program empties.
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
  // Browsers reveal file names only when the files are dropped.
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
