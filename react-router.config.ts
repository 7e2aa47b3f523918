import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  // The complete manifest is smaller than the requests that would discover the routes one by one.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
