// `npm run build`: what a start would do first, for an image or an archive whose machine builds nothing.
import { ensureBuild, ensurePackages } from "./runtime.mjs";

await ensurePackages();
await ensureBuild();
