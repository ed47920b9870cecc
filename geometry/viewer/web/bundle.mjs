// node bundle.mjs page|report OUT: bundles what is in src, and writes it to OUT
// as a C++ source. `page` is the viewer's page, one HTML file with its script
// and style, and defines ViewerPage(); `report` defines ReportScript() and
// ReportScriptStyle().
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const what = process.argv[2] ?? "page";
const out = process.argv[3] ?? join(here, `${what}.cc`);

async function bundle(entry) {
  const bundled = await build({
    entryPoints: [join(here, entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    legalComments: "none",
    outdir: "bundle",
    write: false,
  });
  const text = (ending) =>
    bundled.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? "";
  return { style: text(".css"), script: text(".js").replaceAll("</script", "<\\/script") };
}

// A string literal has at most 64 kB for some compilers.
function define(name, text) {
  const pieces = [];
  for (let i = 0; i < text.length; i += 16000) {
    pieces.push(`R"~page~(${text.slice(i, i + 16000)})~page~"`);
  }
  return `std::string_view ${name}() {
  static constexpr char kText[] =
${pieces.join("\n")};
  return {kText, sizeof(kText) - 1};
}
`;
}

let source;
if (what === "page") {
  const { style, script } = await bundle("src/main.ts");
  // What is between these marks in index.html is the style and the script.
  const html = (await readFile(join(here, "src/index.html"), "utf8"))
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => script);
  source = `#include "wyvern/geometry/viewer/viewer_page.h"

namespace wyvern::geometry::internal {

${define("ViewerPage", html)}
}  // namespace wyvern::geometry::internal
`;
} else {
  const { style, script } = await bundle("src/report/report.ts");
  source = `#include "wyvern/simulator/report/report_script.h"

namespace wyvern::report::internal {

${define("ReportScript", script)}
${define("ReportScriptStyle", style)}
}  // namespace wyvern::report::internal
`;
}
await writeFile(out, `// Made by geometry/viewer/web/bundle.mjs.
${source}`);
