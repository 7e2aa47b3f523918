import { AppError } from '#server/platform/api/errors.ts'
import { siteOf } from '#server/platform/network.ts'
import { type Budget, Usage } from './usage.ts'

/** Who asks for something: a person, and the network from which they do. A visitor is known by the network only. */
export type Client = { person: string; network: string }

/** A client that is not a person, such as a task of the server itself. */
export const clientNamed = (name: string): Client => ({ person: name, network: name })

export type QueueRules = {
  /** The maximum number of places held at a time. */
  atOnce: number
  /** The maximum number of clients that wait for a place; by default none may wait. */
  waiting?: number
  /** The maximum number of places of one person, held and waited for. */
  each: number
  /** The maximum waiting time. */
  waitMs?: number
  /**
   * How long a place is held before it may be given to a client who holds none, or fewer; six times as long by a holder who keeps the
   * pace, in amounts a second. By default no place is taken away.
   */
  hold?: { ms: number; pace?: number }
  /** The maximum time for which places are held by a person and by a network. */
  budget?: Budget
  /** The sentence for a person who has as many places as one may have. */
  tooMany?: string
}

/** A place in a queue whose turn has come. */
export type Place = {
  /** Aborted, with the error for the holder, when the place is given to somebody else. */
  taken: AbortSignal
  /** Reports that the holder gets on, for example by a number of bytes. The slowest loses its place first. */
  advance: (amount: number) => void
  /** From now on the place is not taken away. */
  keep: () => void
  release: () => void
}

type Task = Client & { number: number; since: number }
type Waiting = Task & {
  begin: (place: Place) => void
  refuse: (error: AppError) => void
  timer?: NodeJS.Timeout
}
type Held = Task & { done: number; isKept: boolean; end: AbortController }

/** What a turn counts for, however short, so that clients take turns. */
const LEAST_USE_MS = 1
const RECLAIM_EVERY_MS = 1_000
/** How many times longer a place is held by a holder who keeps the pace. */
const PATIENCE = 6
const RETRY_SECONDS = 5

/**
 * Shares a limited number of places between people and networks. A newcomer always gets one, and nobody holds them all:
 *
 * - If as many wait as may, somebody who has fewer places replaces the newest waiting of whoever has most.
 * - A place that is released goes to whoever holds the fewest and has used places for the shortest time, each counted both for the
 *   person and for the network; if that is equal, to whoever waits for fewest.
 * - A quarter of the places is not given to a network, or a person, that has all others.
 * - With `hold`, the slowest holder loses its place to somebody who waits and has none.
 *
 * Throws `too_many_requests` because of the client's own places or use, and `unavailable` because of those of others.
 */
export class FairQueue {
  readonly #rules: QueueRules
  readonly #held = new Set<Held>()
  readonly #waiting = new Set<Waiting>()
  readonly #heldBy = new Counts()
  readonly #waitedForBy = new Counts()
  readonly #usage = new Usage()
  readonly #share: number
  #number = 0
  #reclaiming: NodeJS.Timeout | undefined

  constructor(rules: QueueRules) {
    this.#rules = rules
    const reserved = rules.atOnce > 1 ? Math.ceil(rules.atOnce / 4) : 0
    this.#share = rules.atOnce - reserved
  }

  /** Runs a task when it is its turn. */
  async run<T>(client: Client, work: () => Promise<T>): Promise<T> {
    const place = await this.enter(client)
    try {
      return await work()
    } finally {
      place.release()
    }
  }

  /** Waits for a place. */
  async enter(client: Client): Promise<Place> {
    return this.tryEnter(client) ?? this.#wait(ofSite(client))
  }

  /** Returns a place that is free, or that is taken from somebody who has more; otherwise undefined. */
  tryEnter(given: Client): Place | undefined {
    const client = ofSite(given)
    this.#requireOwnRoom(client)
    if (!this.#mayHold(client) && !this.#rules.waiting) this.#reclaimFor(client)
    return this.#mayHold(client) ? this.#hold(client) : undefined
  }

  /** Like `tryEnter`, but throws `unavailable`. */
  enterNow(client: Client): Place {
    const place = this.tryEnter(client)
    if (!place) throw busy()
    return place
  }

  /** Whether a client would get a place now, without taking that of another. */
  isFreeFor(client: Client): boolean {
    return this.#countOwn(client) < this.#rules.each && this.#mayHold(ofSite(client))
  }

  /** The order in which clients get places that become free. */
  readonly compare = (first: Client, second: Client): number => {
    const [a, b] = [ofSite(first), ofSite(second)]
    const now = performance.now()
    return (
      this.#heldBy.most(a) - this.#heldBy.most(b) ||
      this.#uses(a, now) - this.#uses(b, now) ||
      this.#usage.of(personKey(a), now) - this.#usage.of(personKey(b), now) ||
      this.#waitedForBy.most(a) - this.#waitedForBy.most(b)
    )
  }

  /** Throws `too_many_requests` if the client has too many places already, or has used too much. */
  #requireOwnRoom(client: Client): void {
    const { each, budget, tooMany = 'Your earlier requests are still being processed.' } = this.#rules
    if (this.#countOwn(client) >= each) throw refused('too_many_requests', tooMany)
    if (!budget) return
    const seconds = Math.max(
      this.#usage.secondsUntilBelow(personKey(client), budget.personMs),
      this.#usage.secondsUntilBelow(networkKey(client), budget.networkMs),
    )
    if (seconds <= 0) return
    const minutes = Math.ceil(seconds / 60)
    throw new AppError(
      'too_many_requests',
      `Your earlier requests have kept the server busy for a long time. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
      { retryAfter: Math.ceil(seconds) },
    )
  }

  /** The number of places that the person holds and waits for. */
  #countOwn(client: Client): number {
    return this.#heldBy.ofPerson(client) + this.#waitedForBy.ofPerson(client)
  }

  #mayHold(client: Client): boolean {
    return this.#held.size < this.#rules.atOnce && this.#heldBy.most(client) < this.#share
  }

  #uses(client: Client, now: number): number {
    return Math.max(this.#usage.of(personKey(client), now), this.#usage.of(networkKey(client), now))
  }

  #hold({ person, network }: Client): Place {
    this.#number += 1
    const held: Held = {
      person,
      network,
      number: this.#number,
      since: performance.now(),
      done: 0,
      isKept: false,
      end: new AbortController(),
    }
    this.#held.add(held)
    this.#heldBy.add(held, 1)
    return {
      taken: held.end.signal,
      advance(amount) {
        held.done += amount
      },
      keep() {
        held.isKept = true
      },
      release: () => this.#release(held),
    }
  }

  #release(held: Held): void {
    if (!this.#held.delete(held)) return
    this.#heldBy.add(held, -1)
    const used = Math.max(LEAST_USE_MS, performance.now() - held.since)
    this.#usage.add(personKey(held), used)
    this.#usage.add(networkKey(held), used)
    this.#beginNext()
  }

  #wait({ person, network }: Client): Promise<Place> {
    const { waiting = 0, waitMs } = this.#rules
    if (this.#waiting.size >= waiting) {
      const [newest] = haveMore(this.#waiting, { person, network }).sort((a, b) => b.number - a.number)
      if (!newest) throw busy()
      this.#leave(newest).refuse(busy())
    }
    const { promise, resolve, reject } = Promise.withResolvers<Place>()
    this.#number += 1
    const task: Waiting = {
      person,
      network,
      number: this.#number,
      since: performance.now(),
      begin: resolve,
      refuse: reject,
    }
    if (waitMs !== undefined) task.timer = setTimeout(() => this.#leave(task).refuse(busy()), waitMs).unref()
    this.#waiting.add(task)
    this.#waitedForBy.add(task, 1)
    if (this.#rules.hold)
      this.#reclaiming ??= setInterval(() => this.#reclaimForWaiting(), RECLAIM_EVERY_MS).unref()
    return promise
  }

  #leave(task: Waiting): Waiting {
    if (this.#waiting.delete(task)) this.#waitedForBy.add(task, -1)
    clearTimeout(task.timer)
    if (this.#waiting.size === 0) {
      clearInterval(this.#reclaiming)
      this.#reclaiming = undefined
    }
    return task
  }

  #beginNext(): void {
    for (;;) {
      const able = [...this.#waiting].filter((task) => this.#mayHold(task))
      const [next] = able.sort((a, b) => this.compare(a, b) || a.number - b.number)
      if (!next) return
      this.#leave(next).begin(this.#hold(next))
    }
  }

  #reclaimForWaiting(): void {
    const inTurn = [...this.#waiting].sort((a, b) => this.compare(a, b) || a.number - b.number)
    if (inTurn.some((task) => this.#reclaimFor(task))) this.#beginNext()
  }

  /** Takes the place of the slowest of whoever holds more than the client would; returns whether there was one. */
  #reclaimFor(client: Client): boolean {
    const { hold } = this.#rules
    if (!hold || this.#heldBy.most(client) >= this.#share) return false
    const now = performance.now()
    const speedOf = ({ done, since }: Held) => (done * 1_000) / Math.max(1, now - since)
    const timeOf = (held: Held) => hold.ms * (speedOf(held) >= (hold.pace ?? Infinity) ? PATIENCE : 1)
    const [slowest] = haveMore(this.#held, client, {
      // Even from somebody who has one, too: they have had it for a while.
      orAsMany: hold.ms > 0 && this.#heldBy.ofPerson(client) === 0,
      isAvailable: (held) => !held.isKept && now - held.since >= timeOf(held),
    }).sort((a, b) => speedOf(a) - speedOf(b) || a.since - b.since)
    if (!slowest) return false
    this.#release(slowest)
    slowest.end.abort(busy())
    return true
  }
}

/** The numbers of tasks of each person and of each network. */
class Counts {
  readonly #counts = new Map<string, number>()

  ofPerson(client: Client): number {
    return this.#counts.get(personKey(client)) ?? 0
  }

  /** The number of tasks of the person or of the network, whichever has more. */
  most(client: Client): number {
    return Math.max(this.ofPerson(client), this.#counts.get(networkKey(client)) ?? 0)
  }

  add(client: Client, change: 1 | -1): void {
    for (const key of [personKey(client), networkKey(client)]) {
      const count = (this.#counts.get(key) ?? 0) + change
      if (count > 0) this.#counts.set(key, count)
      else this.#counts.delete(key)
    }
  }
}

/** Networks of one site count together: whoever has one has thousands. */
const ofSite = ({ person, network }: Client): Client => ({ person, network: siteOf(network) })

const personKey = ({ person }: Client) => `person ${person}`
const networkKey = ({ network }: Client) => `network ${network}`

/**
 * Returns the available tasks of whoever has most of them, if that is more than the client would have with one more, or as many with
 * `orAsMany`. People of one network are compared by their own tasks, others also by those of their networks.
 */
function haveMore<T extends Client>(
  tasks: Iterable<T>,
  client: Client,
  {
    orAsMany = false,
    isAvailable = () => true,
  }: { orAsMany?: boolean; isAvailable?: (task: T) => boolean } = {},
): T[] {
  const all = [...tasks]
  const [people, networks] = (['person', 'network'] as const).map((by) =>
    Map.groupBy(all, (task) => task[by]),
  )
  const own = (people?.get(client.person)?.length ?? 0) + 1
  const ownNetwork = (networks?.get(client.network)?.length ?? 0) + 1
  const excess = (task: T) => {
    const has = people?.get(task.person)?.length ?? 0
    if (task.network === client.network) return has - own
    return Math.max(has, networks?.get(task.network)?.length ?? 0) - Math.max(own, ownNetwork)
  }
  const others = all.filter((task) => task.person !== client.person && isAvailable(task))
  const most = Math.max(...others.map(excess))
  if (!(orAsMany ? most >= 0 : most > 0)) return []
  const richest = others.filter((task) => excess(task) === most)
  // Within a network, the people who have most.
  const hasMost = Math.max(...richest.map(({ person }) => people?.get(person)?.length ?? 0))
  return richest.filter(({ person }) => people?.get(person)?.length === hasMost)
}

const refused = (code: 'too_many_requests' | 'unavailable', reason: string, retryAfter = RETRY_SECONDS) =>
  new AppError(code, `${reason} Please try again in a moment.`, { retryAfter })

const busy = () => refused('unavailable', 'The server is busy.')
