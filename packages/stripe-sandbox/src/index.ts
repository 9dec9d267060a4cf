/** The door of the package: an offline card provider. */
export { startSandbox, type Sandbox, type SandboxOptions, type SandboxPrice } from "./main.ts";
export type { SandboxControl } from "./control.ts";
export type { SandboxLog } from "./delivery/webhook-sender.ts";
