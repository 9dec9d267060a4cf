export { SuspendAuthor } from "./components/suspend-author.tsx";
