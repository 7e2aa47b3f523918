import { expect, test } from 'vitest'
import { renderMarkdown } from './render.ts'

const html = (content: string) =>
  renderMarkdown(content).html.slice('<div class="prose">'.length, -'</div>'.length)

test.each([
  ['これは**「重要」**です。', '<p>これは<strong>「重要」</strong>です。</p>'],
  ['これは*「重要」*です。', '<p>これは<em>「重要」</em>です。</p>'],
  ['**注意。**次に', '<p><strong>注意。</strong>次に</p>'],
  ['这是**“重要”**的', '<p>这是<strong>“重要”</strong>的</p>'],
  ['**이것(중요)**은', '<p><strong>이것(중요)</strong>은</p>'],
  ['旧~~「案」~~新', '<p>旧<del>「案」</del>新</p>'],
  ['**`npm`**を', '<p><strong><code>npm</code></strong>を</p>'],
  ['**[表](/a)**を', '<p><strong><a href="/a">表</a></strong>を</p>'],
  ['snake_「case」_x', '<p>snake_「case」_x</p>'],
  ['a**"b"**c', '<p>a**&quot;b&quot;**c</p>'],
])('the emphasis of %s works without spaces', (content, expected) => {
  expect(html(content)).toBe(expected)
})

test.each([
  ['詳細はhttps://example.org/a（説明）了解。', 'https://example.org/a'],
  ['https://example.org（説明）', 'https://example.org'],
  ['https://example.org。次', 'https://example.org'],
  ['https://example.org/、次', 'https://example.org/'],
  ['https://example.org/a，了解', 'https://example.org/a'],
  ['「https://example.org/a」と', 'https://example.org/a'],
  ['“https://example.org/a”和', 'https://example.org/a'],
  ['《https://example.org/a》', 'https://example.org/a'],
  ['https://example.org/aを見る', 'https://example.org/a'],
  ['https://example.org/を見る', 'https://example.org/'],
  ['https://example.org/了解。', 'https://example.org/'],
  ['https://example.orgを見る', 'https://example.org'],
  ['https://example.org了解', 'https://example.org'],
  ['https://example.org/a에서', 'https://example.org/a'],
  ['https://example.org:8080/a?b=1了解', 'https://example.org:8080/a?b=1'],
  ['https://example.org/a%E3%81%82を', 'https://example.org/a%E3%81%82'],
  ['https://ja.example.org/wiki/日本', 'https://ja.example.org/wiki/日本'],
  ['https://ja.example.org/wiki/日本。', 'https://ja.example.org/wiki/日本'],
  ['https://ja.example.org/wiki/東京_(曖昧さ回避) と', 'https://ja.example.org/wiki/東京_(曖昧さ回避)'],
  ['https://例え.jp/商品/1を', 'https://例え.jp/商品/1'],
  ['https://例え.jpを', 'https://例え.jp'],
  ['https://例子.中国/', 'https://例子.中国/'],
  ['https://example.org/a،', 'https://example.org/a'],
  ['https://example.org/a؟', 'https://example.org/a'],
  ['https://example.org/пример.', 'https://example.org/пример'],
  ['«https://example.org/a»', 'https://example.org/a'],
  ['https://example.org/a…', 'https://example.org/a'],
  ['見る：www.example.org/a。', 'www.example.org/a'],
  ['詳細はwww.example.org/aを', 'www.example.org/a'],
  ['メールはloaf@example.orgです', 'loaf@example.org'],
])('the address in %s ends where the sentence goes on', (content, address) => {
  expect(/<a [^>]*>([^<]*)<\/a>/.exec(html(content))?.[1]).toBe(address)
})
