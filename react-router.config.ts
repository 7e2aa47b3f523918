import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  // A dozen routes are smaller than the requests that would discover them one by one.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
