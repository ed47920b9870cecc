// node bundle.mjs OUT: makes the page, one HTML file with its script and style,
// and writes it to OUT as a C++ source that defines ViewerPage().
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "page.cc");

const bundled = await build({
  entryPoints: [join(here, "src/main.ts")],
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

// What is between these marks in index.html is the style and the script.
const html = (await readFile(join(here, "src/index.html"), "utf8"))
  .replace("/*style*/", () => text(".css"))
  .replace("/*script*/", () => text(".js").replaceAll("</script", "<\\/script"));

// A string literal has at most 64 kB for some compilers.
const pieces = [];
for (let i = 0; i < html.length; i += 16000) {
  pieces.push(`R"~page~(${html.slice(i, i + 16000)})~page~"`);
}
await writeFile(out, `// Made by geometry/viewer/web/bundle.mjs.
#include "wyvern/geometry/viewer/viewer_page.h"

namespace wyvern::geometry::internal {

std::string_view ViewerPage() {
  static constexpr char kPage[] =
${pieces.join("\n")};
  return {kPage, sizeof(kPage) - 1};
}

}  // namespace wyvern::geometry::internal
`);
