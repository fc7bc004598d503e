# The server with production packages only. See docs/deploy.md.
FROM node:24.22.3-bookworm-slim AS build
WORKDIR /app
COPY . .
# The packages of the page are in what was built, and Node is that of the image.
RUN npm ci && npm run build \
  && npm ci --omit=dev --workspace rules --workspace pack --workspace cluster --workspace server \
  && node tools/trim-packages.ts

FROM node:24.22.3-bookworm-slim
# The embedded PostgreSQL and the server run as this user, never as root.
RUN useradd --system --uid 10001 --create-home keywords && install -d -o keywords -g keywords -m 0700 /data /backups
WORKDIR /app
COPY --from=build /app /app
USER keywords
# The threshold returns the memory of large responses to the system: about 70 MiB less under load.
ENV NODE_ENV=production NODE_OPTIONS=--disable-sigusr1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=65536
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--disable-sigusr1", "--import", "./tools/require-node.mjs", "tools/start.ts"]
