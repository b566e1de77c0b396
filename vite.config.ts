import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumArguments, chromiumPath } from './test/chromium.ts';

const root = import.meta.dirname;
const chromium = chromiumPath();
/** Before tests that run what is built. */
const built = `${root}/test/built.ts`;
// Shipped as node_modules: the official client can't be bundled, and its protos must stay one copy.
const external = ['electron', 'ws', '@grpc/grpc-js', 'google-gax', /^@google-cloud\//];

// Tests start many processes: what those compile is kept from one to the next.
const env = { NODE_COMPILE_CACHE: `${root}/node_modules/.cache/compiled` };

export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  build: { outDir: `${root}/dist/renderer`, emptyOutDir: true, target: 'chrome150' },
  environments: {
    // The main process, the command line and the store's worker: one outDir, shared chunks.
    main: {
      consumer: 'server',
      resolve: { noExternal: true, external: ['electron', 'ws', '@grpc/grpc-js', 'google-gax', '@google-cloud/bigtable', '@google-cloud/bigtable-api'] },
      build: {
        outDir: `${root}/dist/electron`, emptyOutDir: true, copyPublicDir: false, target: 'node24', minify: false, sourcemap: true,
        rolldownOptions: {
          input: { main: `${root}/electron/main.ts`, cli: `${root}/electron/cli/main.ts`, 'store-worker': `${root}/electron/embedded/worker.ts` },
          external, output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        },
      },
    },
    preload: {
      consumer: 'server',
      resolve: { noExternal: true },
      build: {
        outDir: `${root}/dist/preload`, emptyOutDir: true, copyPublicDir: false, target: 'chrome150', minify: false, sourcemap: 'inline',
        rolldownOptions: { input: `${root}/electron/preload/preload.ts`, external: ['electron'], output: { format: 'cjs', entryFileNames: 'preload.cjs', codeSplitting: false } },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      for (const name of ['client', 'main', 'preload']) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
  test: {
    root,
    // Vitest would keep one core for itself, of two: most of these files wait for processes of their own, and two at once fill both.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], environment: 'node', testTimeout: 20_000 } },
      { extends: true, test: { name: 'types', include: [], typecheck: { enabled: true, only: true, include: ['test/types/**/*.test-d.ts'], tsconfig: './tsconfig.json' } } },
      {
        extends: true,
        optimizeDeps: { include: ['react', 'react-dom/client', 'react/jsx-dev-runtime', 'recharts', 'axe-core', 'vitest-browser-react'] },
        test: {
          name: 'component', include: ['test/component/**/*.test.tsx'], testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } }, // a busy machine is no failure
          browser: {
            enabled: true, headless: true, screenshotFailures: false, instances: [{ browser: 'chromium' }], viewport: { width: 1440, height: 900 },
            provider: playwright({ launchOptions: { ...(chromium === undefined ? {} : { executablePath: chromium }), args: [...chromiumArguments] } }),
          },
        },
      },
      { extends: true, test: { name: 'integration', include: ['test/integration/**/*.test.ts'], environment: 'node', env, globalSetup: built, testTimeout: 60_000, hookTimeout: 60_000 } },
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], environment: 'node', env, globalSetup: built, testTimeout: 60_000, hookTimeout: 60_000 } },
    ],
  },
});
