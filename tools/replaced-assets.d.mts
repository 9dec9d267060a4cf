export function setAssetsAside(assets: string, store: string): void;
export function putReplacedAssetsBack(assets: string, store: string, nowMs?: number): void;
