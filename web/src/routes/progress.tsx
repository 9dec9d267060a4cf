import { loadProgressPage } from "@/features/levels/public.ts";

const ProgressPage = await loadProgressPage();
export default ProgressPage;
