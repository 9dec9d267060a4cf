// A file of its own, so that the window is loaded when an administrator asks for it: members never need it.
export { RemovalDialog as default } from "@/features/moderation/index.ts";
