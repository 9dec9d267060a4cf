import {
  BadgePoundSterling,
  Banknote,
  BookOpen,
  Brain,
  BriefcaseBusiness,
  Calculator,
  CalendarCheck,
  ChartLine,
  ChartPie,
  ClipboardList,
  Coins,
  Compass,
  Crosshair,
  FileText,
  Flame,
  Focus,
  Gauge,
  Handshake,
  HeartPulse,
  House,
  Hourglass,
  Landmark,
  Layers,
  Lightbulb,
  ListChecks,
  Megaphone,
  MessageCircle,
  MessagesSquare,
  NotebookPen,
  Package,
  PenLine,
  PenTool,
  PiggyBank,
  Receipt,
  Repeat,
  Rocket,
  Scale,
  Search,
  Settings,
  ShieldCheck,
  ShoppingBag,
  Sprout,
  Store,
  Tag,
  Target,
  Timer,
  TrendingUp,
  Umbrella,
  Users,
  Wallet,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import { createElement } from "react";
import type { Category } from "@/domain/categories.ts";

type IconSet = Readonly<Record<string, LucideIcon>>;

const shared: IconSet = {
  compass: Compass,
  target: Target,
  "list-checks": ListChecks,
  "clipboard-list": ClipboardList,
  scale: Scale,
  search: Search,
  users: Users,
  "file-text": FileText,
  calculator: Calculator,
  layers: Layers,
};

/** Each category has icons of its own, and one that stands in for whatever it does not know. */
const sets: Readonly<Record<Category, { readonly known: IconSet; readonly fallback: LucideIcon }>> =
  {
    general: {
      fallback: BookOpen,
      known: {
        ...shared,
        "book-open": BookOpen,
        brain: Brain,
        "calendar-check": CalendarCheck,
        crosshair: Crosshair,
        flame: Flame,
        focus: Focus,
        "heart-pulse": HeartPulse,
        hourglass: Hourglass,
        lightbulb: Lightbulb,
        "message-circle": MessageCircle,
        "messages-square": MessagesSquare,
        "notebook-pen": NotebookPen,
        "pen-line": PenLine,
        repeat: Repeat,
        timer: Timer,
      },
    },
    business: {
      fallback: BriefcaseBusiness,
      known: {
        ...shared,
        "badge-pound-sterling": BadgePoundSterling,
        "briefcase-business": BriefcaseBusiness,
        "chart-line": ChartLine,
        gauge: Gauge,
        handshake: Handshake,
        megaphone: Megaphone,
        package: Package,
        "pen-tool": PenTool,
        receipt: Receipt,
        rocket: Rocket,
        settings: Settings,
        "shopping-bag": ShoppingBag,
        store: Store,
        tag: Tag,
        workflow: Workflow,
      },
    },
    wealth: {
      fallback: Landmark,
      known: {
        ...shared,
        banknote: Banknote,
        "chart-line": ChartLine,
        "chart-pie": ChartPie,
        coins: Coins,
        house: House,
        landmark: Landmark,
        "piggy-bank": PiggyBank,
        receipt: Receipt,
        "shield-check": ShieldCheck,
        sprout: Sprout,
        "trending-up": TrendingUp,
        umbrella: Umbrella,
        wallet: Wallet,
      },
    },
  };

/** The icon a subcategory asks for by name, or its category's own. */
function iconOf(category: Category, name: string | null): LucideIcon {
  const { known, fallback } = sets[category];
  return (name !== null && Object.hasOwn(known, name) ? known[name] : undefined) ?? fallback;
}

/** Names of the icons a subcategory of this category may ask for. */
export function topicIconNames(category: Category): readonly string[] {
  return Object.keys(sets[category].known).toSorted();
}

/** A subcategory's icon. It is decoration; the name stands beside it. */
export function TopicIcon({
  category,
  name,
  className,
}: {
  readonly category: Category;
  readonly name: string | null;
  readonly className?: string | undefined;
}) {
  return createElement(iconOf(category, name), { "aria-hidden": true, className });
}
