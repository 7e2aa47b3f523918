import { whenSessionEnds } from '#web/api/client.ts'
import { Outbox } from './outbox.ts'
import { pendingChanges } from './pending.ts'
import { sendChange } from './send.ts'
import { createChangeStore } from './store.ts'

/** The outbox of this page. */
export const outbox = new Outbox({
  store: createChangeStore(),
  send: sendChange,
  pending: pendingChanges,
  later(run, milliseconds) {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
  isOnline: () => navigator.onLine,
  /** Without the Web Locks API (plain http on a host other than localhost) two tabs send the same change, which the server makes once. */
  async lock(name, run) {
    const locks = (navigator as Partial<Navigator>).locks
    if (!locks) return run()
    return locks.request(`milepost-change/${name}`, { ifAvailable: true }, (lock) => (lock ? run() : 'taken'))
  },
})

whenSessionEnds(() => outbox.close())
