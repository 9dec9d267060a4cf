import { config } from "zod/mini";

// Zod tries once whether it may compile code, which the page's content security policy forbids and reports.
config({ jitless: true });
