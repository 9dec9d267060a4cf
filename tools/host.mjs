import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./runtime.mjs";
import { supervise } from "./supervise.mjs";

const folder = "packages/host";
const { bin } = JSON.parse(readFileSync(join(projectRoot, folder, "package.json"), "utf8"));
await supervise([join(folder, bin.basehost), ...process.argv.slice(2)]);
