import { CategoryHome } from "@/features/library/public.ts";

/** `/{category}/foundations`. */
export default function FoundationsHome() {
  return <CategoryHome shelf="articles" />;
}
