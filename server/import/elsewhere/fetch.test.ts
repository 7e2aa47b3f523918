import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFetchPicture } from './fetch.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

describe('a picture on a website', () => {
  let folder: string
  let visits: string[] = []
  const website = createServer((request, response) => {
    visits.push(request.url ?? '')
    const page = request.url ?? ''
    if (page === '/moved') response.writeHead(302, { location: '/a%20b.PNG' })
    else if (page === '/inside') response.writeHead(302, { location: 'http://127.0.0.1:1/secret.png' })
    else if (page === '/round') response.writeHead(302, { location: '/round' })
    else if (page === '/gone') response.writeHead(404, { 'content-type': 'image/png' })
    else response.writeHead(200, { 'content-type': page === '/page' ? 'text/html' : 'binary/octet-stream' })
    if (page === '/half') response.write(PNG, () => response.destroy())
    else response.end(page === '/lie' ? 'bytes' : PNG)
  })
  const origin = () => `http://127.0.0.1:${(website.address() as AddressInfo).port}`
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'milepost-pictures-'))
    website.listen(0, '127.0.0.1')
    await once(website, 'listening')
  })
  afterAll(async () => {
    website.close()
    await rm(folder, { recursive: true })
  })
  const allowing = () => createFetchPicture({ isAllowed: (url) => url.origin === origin() })

  it('is written to a file, also from another address to which it leads', async () => {
    const to = path.join(folder, 'picture')
    expect(await allowing()(`${origin()}/moved`, to, 100)).toBe('a b.png')
    expect(await readFile(to)).toEqual(PNG)
  })

  it.each([
    ['%E6%9C%A8%E3%81%AE%E6%A4%85%E5%AD%90.jpeg', '木の椅子.png'],
    ['100%.png', '100%.png'],
    ['%FF%FE.png', 'picture.png'],
    ['..%2F..%5C%2Fetc%2Fpasswd', 'passwd.png'],
    [`${'a'.repeat(200)}.png`, `${'a'.repeat(100)}.png`],
    ['', 'picture.png'],
  ])('at %s is called %s', async (last, name) => {
    expect(await allowing()(`${origin()}/pictures/${last}`, path.join(folder, 'named'), 100)).toBe(name)
  })

  it.each([
    ['/gone', 'its website does not give it (404)'],
    ['/page', 'its website has no picture there'],
    ['/lie', 'its website has no picture there'],
    ['/half', 'its website does not answer'],
    ['/round', 'from one address to another'],
    ['/inside', 'its website is not on the Internet'],
    ['/large', 'it is larger than'],
  ])('does not come from %s, because %s', async (page, reason) => {
    await expect(
      allowing()(`${origin()}${page}`, path.join(folder, 'x'), page === '/large' ? 3 : 100),
    ).rejects.toThrow(reason)
  })

  it('is not said to be missing on its website if it cannot be stored here', async () => {
    const to = path.join(folder, 'nowhere', 'x')
    await expect(allowing()(`${origin()}/a.png`, to, 100)).rejects.toThrow('ENOENT')
  })

  it('is fetched from the Internet alone', async () => {
    visits = []
    const { port } = website.address() as AddressInfo
    const fetchPicture = createFetchPicture()
    const allowingPorts = createFetchPicture({ isAllowed: () => true })
    const to = path.join(folder, 'y')
    for (const address of [
      `${origin()}/a.png`,
      'http://10.0.0.1/a',
      'http://[::1]/a',
      'http://0x7f000001/a',
      'file:///etc/passwd',
    ])
      await expect(fetchPicture(address, to, 100)).rejects.toThrow('not on the Internet')
    await expect(fetchPicture('https://example.com:8443/a', to, 100)).rejects.toThrow('not on the Internet')
    // A name that leads to this machine.
    await expect(allowingPorts(`http://localhost:${port}/a.png`, to, 100)).rejects.toThrow(
      'not on the Internet',
    )
    expect(visits).toEqual([])
  })

  it('is not asked for again from a website that does not answer', async () => {
    const fetchPicture = createFetchPicture({ isAllowed: () => true })
    let asked = 0
    const silent = createServer()
    silent.on('connection', (socket) => {
      asked += 1
      socket.destroy()
    })
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    for (let at = 0; at < 5; at += 1)
      await expect(
        fetchPicture(`http://127.0.0.1:${port}/${at}`, path.join(folder, 'z'), 100),
      ).rejects.toThrow('does not answer')
    expect(asked).toBe(3)
    silent.close()
  })
})
