import { expect, test } from 'vitest'
import { fromTemplates } from './templates.ts'

test.each([
  ['{{< figure src="keel.jpg" title="The keel" >}}', '![The keel](<keel.jpg>)'],
  ['{{% figure alt="A" src="a b.png" /%}}', '![A](<a b.png>)'],
  [
    '[next]({{< ref "second.md" >}}) [n]({{< relref path="/posts/second" >}})',
    '[next](second.md) [n](/posts/second)',
  ],
  ['{{< youtube abc_1 >}}', '<https://www.youtube.com/watch?v=abc_1>'],
  [
    '[b]({% post_url 2024-05-07-second %}) [c]({% link _posts/c.md %})',
    '[b](2024-05-07-second) [c](_posts/c.md)',
  ],
  ['![x]({{ site.baseurl }}/a.png) ![y]({{ "/b.png" | relative_url }})', '![x](/a.png) ![y](/b.png)'],
  ['{% include image.html url="/a.png" caption="A" %}', '![A](</a.png>)'],
  ['![z](/a.png){:width="100"}', '![z](/a.png)'],
  ['{% highlight ruby linenos %}\nputs "{{ x }}"\n{% endhighlight %}', '```ruby\nputs "{{ x }}"\n```'],
  ['{{< highlight go >}}\nx\n{{< /highlight >}}', '```go\nx\n```'],
  [
    '{{< gist ada 12 >}} {{< x user="ada" id="34" >}}',
    '<https://gist.github.com/ada/12> <https://x.com/ada/status/34>',
  ],
  ['* TOC\n{:toc}\n\ntext', '\n\ntext'],
  // Others stay, and so does code.
  [
    '{{% notice note %}}Mind{{% /notice %}} {% include nav.html %}',
    '{{% notice note %}}Mind{{% /notice %}} {% include nav.html %}',
  ],
  ['```\n{{< figure src="a.png" >}}\n```', '```\n{{< figure src="a.png" >}}\n```'],
])('%j becomes %j', (text, expected) => {
  expect(fromTemplates(text)).toBe(expected)
})
