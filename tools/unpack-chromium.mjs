// `node tools/unpack-chromium.mjs`: unpacks npm's Chromium into the folder for temporary files and prints its path.
import chromium from "@sparticuz/chromium";

process.stdout.write(await chromium.executablePath());
