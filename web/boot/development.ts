const load = (path: string) => import(/* @vite-ignore */ path)

/** Starts the app in development, with what `@vitejs/plugin-react` asks for where another server than Vite's writes the documents. */
async function start() {
  await load('/@vite/client')
  const { default: refresh } = await load('/@react-refresh')
  refresh.injectIntoGlobalHook(window)
  Object.assign(window, { $RefreshReg$: () => undefined, $RefreshSig$: () => (type: unknown) => type })
  await load('/web/boot/client.tsx')
}

void start()
