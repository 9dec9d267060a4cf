import { CategoryHome } from "@/features/library/index.ts";

/** `/{category}/foundations`. */
export default function FoundationsHome() {
  return <CategoryHome shelf="articles" />;
}
