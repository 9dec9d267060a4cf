import { access, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A load balancer that docs/deploy.md describes. */
export type BalancerName = "haproxy" | "nginx";

interface Balancer {
  title: string;
  paths: readonly string[];
  settings: (port: number, hosts: readonly number[], folder: string) => string;
  args: (settingsFile: string) => string[];
}

/** What docs/deploy.md says of HAProxy, for these ports. */
function haproxySettings(port: number, hosts: readonly number[]): string {
  return `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 180s
  timeout server 180s
  timeout tunnel 1h
  option redispatch
  retries 3
  retry-on conn-failure empty-response response-timeout
frontend site
  bind 127.0.0.1:${port}
  default_backend hosts
backend hosts
  balance leastconn
  option httpchk GET /readyz
  option forwardfor
  http-request disable-l7-retry unless METH_GET
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${hosts.map((host, at) => `  server host${at} 127.0.0.1:${host}`).join("\n")}
`;
}

/** What docs/deploy.md says of nginx, for these ports and without TLS; its files are kept in `folder`. */
function nginxSettings(port: number, hosts: readonly number[], folder: string): string {
  // The master may be root, whose workers would otherwise be another account without access to the folder.
  const user = process.getuid?.() === 0 ? "user root;\n" : "";
  const kept = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `  ${name}_temp_path ${join(folder, name)};`)
    .join("\n");
  return `${user}daemon off;
pid ${join(folder, "nginx.pid")};
error_log stderr crit;
worker_processes 1;
events { worker_connections 2000; }
http {
  access_log off;
${kept}
  map $http_upgrade $connection_upgrade {
    default upgrade;
    ''      close;
  }
  upstream hosts {
    least_conn;
${hosts.map((host) => `    server 127.0.0.1:${host} max_fails=1 fail_timeout=5s;`).join("\n")}
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 60m;
    location / {
      proxy_pass http://hosts;
      proxy_http_version 1.1;
      proxy_connect_timeout 2s;
      proxy_next_upstream error timeout http_503;
      proxy_next_upstream_tries 3;
      proxy_set_header Host $host:$server_port;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_read_timeout 180s;
    }
  }
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
 * Writes a balancer's settings below `folder`.
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
  await writeFile(settingsFile, balancer.settings(port, hosts, place));
  return { program, args: balancer.args(settingsFile) };
}
