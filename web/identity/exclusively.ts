const LOCK = 'milepost-token'

/**
 * Runs one piece of work at a time across all tabs of this browser. Where locks are withheld (plain http under
 * another name than localhost) each tab goes ahead by itself: a token more is exchanged, nothing worse.
 */
export async function exclusively(work: () => Promise<void>): Promise<void> {
  const locks = (navigator as Partial<Navigator>).locks
  if (locks) await locks.request(LOCK, work)
  else await work()
}
