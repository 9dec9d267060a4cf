interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}
export function isSameInstall(
  locked: Readonly<Record<string, LockedPackage>>,
  installed: Readonly<Record<string, LockedPackage>>,
): boolean;
export function withoutDevelopment(
  locked: Readonly<Record<string, LockedPackage>>,
): Record<string, LockedPackage>;
export function hasLockedPackages(folder: string, options?: { omitsDev?: boolean }): boolean;
