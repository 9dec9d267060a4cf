export { default } from "./opening-soon.tsx";
