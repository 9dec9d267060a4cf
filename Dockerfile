# The product in one image: packages and the web app are made in the first stage, and nothing is compiled when it starts.
# docs/deploy.md says how it is run.
FROM node:24-bookworm-slim AS build
WORKDIR /srv/fourfold
# Also read by the start, which then misses no package of development.
ENV NPM_CONFIG_OMIT=dev
COPY package.json package-lock.json .npmrc ./
COPY packages/host/package.json packages/host/
COPY packages/stripe-sandbox/package.json packages/stripe-sandbox/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin fourfold \
  && install -d -o fourfold -g fourfold -m 0711 /var/lib/fourfold
COPY --from=build /srv/fourfold /srv/fourfold
WORKDIR /srv/fourfold
USER fourfold
# What Node.js compiled is kept outside the image's own files, which this account can't write.
ENV NPM_CONFIG_OMIT=dev \
  NODE_ENV=production \
  NODE_COMPILE_CACHE=/tmp/fourfold-compiled \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/var/lib/fourfold/data
VOLUME /var/lib/fourfold
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=6s --start-period=120s --retries=3 \
  CMD ["node", "tools/is-ready.mjs"]
# Ends within ten seconds of SIGTERM, with its PostgreSQL where it has one.
STOPSIGNAL SIGTERM
CMD ["node", "tools/start.mjs"]
