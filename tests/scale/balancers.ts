import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { blocksOf, readDeployDocument } from "../support/deploy-document.ts";

/** A load balancer that docs/deploy.md describes. */
export type BalancerName = "haproxy" | "nginx";

interface Balancer {
  title: string;
  paths: readonly string[];
  settings: (port: number, hosts: readonly number[], folder: string) => Promise<string>;
  args: (settingsFile: string) => string[];
}

/** The block of docs/deploy.md in which hosts on several machines are named. */
async function documentedSettings(language: string): Promise<string> {
  const blocks = blocksOf(await readDeployDocument(), language);
  const block = blocks.find((body) => body.includes("10.0.0.11"));
  if (block === undefined) throw new Error(`docs/deploy.md has no ${language} for several hosts`);
  return block;
}

/** The same line for each of these hosts, in the place of the documented ones. */
function withHosts(text: string, line: RegExp, hostLine: (port: number, at: number) => string) {
  return (hosts: readonly number[]) => {
    const [first, ...others] = text.match(line) ?? [];
    if (first === undefined || others.length === 0) throw new Error("No hosts are documented");
    return others
      .reduce((rest, other) => rest.replace(other, () => ""), text)
      .replace(first, () => hosts.map(hostLine).join("\n"));
  };
}

/** HAProxy as documented, for these ports and without TLS. */
async function haproxySettings(port: number, hosts: readonly number[]): Promise<string> {
  const documented = (await documentedSettings("haproxy")).replace(
    /bind :443 .*/,
    `bind 127.0.0.1:${port}`,
  );
  const place = withHosts(documented, /^ {2}server \w+ 10\..*$/gm, (host, at) => {
    return `  server host${at} 127.0.0.1:${host}`;
  });
  return `global\n  maxconn 2000\n${place(hosts)}\n`;
}

/** nginx as documented, for these ports and without TLS; its files are kept in `folder`. */
async function nginxSettings(
  port: number,
  hosts: readonly number[],
  folder: string,
): Promise<string> {
  const documented = (await documentedSettings("nginx"))
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *(ssl_|server_name).*\n/gm, "")
    // Files are signed for the address with its port.
    .replace("Host $host;", "Host $host:$server_port;");
  const place = withHosts(documented, /^ {2}server 10\..*$/gm, (host) => {
    return `  server 127.0.0.1:${host} max_fails=1 fail_timeout=5s;`;
  });
  // The master may be root, whose workers would otherwise be another account without access to the folder.
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  const kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n");
  return `${user}daemon off;
pid ${join(folder, "nginx.pid")};
error_log stderr crit;
events { worker_connections 2000; }
http {
access_log off;
${kept}
${place(hosts)}
}
`;
}

const balancers: Readonly<Record<BalancerName, Balancer>> = {
  haproxy: {
    title: "HAProxy",
    paths: ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "/opt/homebrew/bin/haproxy"],
    settings: haproxySettings,
    args: (settingsFile) => ["-f", settingsFile, "-db"],
  },
  nginx: {
    title: "nginx",
    paths: ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"],
    settings: nginxSettings,
    args: (settingsFile) => ["-c", settingsFile],
  },
};

async function findProgram({ title, paths }: Balancer): Promise<string> {
  for (const path of paths) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  throw new Error(`${title} is not installed: apt-get install ${title.toLowerCase()}`);
}

/**
 * Writes a balancer's settings below `folder`, as docs/deploy.md has them, so that what is typed there is what was tried.
 * @returns how it is started, in the foreground
 * @throws {Error} when it is not installed
 */
export async function prepareBalancer(
  name: BalancerName,
  port: number,
  hosts: readonly number[],
  folder: string,
): Promise<{ program: string; args: string[] }> {
  const balancer = balancers[name];
  const program = await findProgram(balancer);
  const place = join(folder, name);
  await mkdir(place, { recursive: true });
  const settingsFile = join(place, "settings");
  await writeFile(settingsFile, await balancer.settings(port, hosts, place));
  return { program, args: balancer.args(settingsFile) };
}
