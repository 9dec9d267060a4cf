import {
  BadgeCheck,
  BookOpenText,
  ChevronsUpDown,
  CreditCard,
  Gift,
  HandCoins,
  LogOut,
  UserRound,
  type LucideIcon,
} from "lucide-react";
import { Link, useLocation } from "react-router";
import { displayName, sessionStrings, useSession } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { profilePictureUrl } from "@/lib/profile-picture-url.ts";
import { Avatar } from "@/ui/avatar.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/ui/menu.tsx";
import { toast } from "@/ui/toast.tsx";
import { paths } from "@/domain/paths.ts";
import { roleNames } from "@/domain/roles.ts";
import { accountAreaOf, areaPlaceOf } from "./areas.ts";
import { shellStrings } from "./strings.ts";

const icons: Readonly<Record<string, LucideIcon>> = {
  [paths.subscriptions]: CreditCard,
  [paths.yourCourses]: BookOpenText,
  [paths.gifts]: Gift,
  [paths.affiliates]: HandCoins,
  [paths.verification]: BadgeCheck,
};

/** Who is signed in, and what they can do about their account. */
export function AccountMenu() {
  const { client } = useBackend();
  const { user, profile, role, signOut } = useSession();
  const name = displayName(profile, user?.email ?? "");
  const area = accountAreaOf(role);
  const current = areaPlaceOf([area], useLocation().pathname)?.page;

  async function leave() {
    if (await signOut()) toast.danger(sessionStrings.signOutFailed);
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex min-h-14 w-full items-center gap-3 rounded-control px-2 text-left hover:bg-hover"
        >
          <Avatar
            id={user?.id ?? ""}
            name={name}
            picture={profilePictureUrl(client, profile?.avatarUrl)}
            size="sm"
          />
          <span className="grid min-w-0 grow leading-tight">
            <span className="truncate text-sm font-medium">
              <span className="sr-only">{shellStrings.accountOf}</span>
              {name}
            </span>
            <span className="text-xs text-muted">{roleNames[role]}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      {area.pages.map((page) => {
        const Icon = icons[page.to] ?? UserRound;
        return (
          <MenuItem key={page.to} asChild>
            <Link to={page.to} aria-current={page === current ? "page" : undefined}>
              <Icon aria-hidden /> {page.label}
            </Link>
          </MenuItem>
        );
      })}
      <MenuSeparator />
      <MenuItem onSelect={() => void leave()}>
        <LogOut aria-hidden /> {shellStrings.signOut}
      </MenuItem>
    </Menu>
  );
}
