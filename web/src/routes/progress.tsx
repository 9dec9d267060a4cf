import { loadProgressPage } from "@/features/levels/index.ts";

const ProgressPage = await loadProgressPage();
export default ProgressPage;
