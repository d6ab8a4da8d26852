package org.bloomgate.content.links;

import java.util.Optional;
import java.util.Set;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.html.Vocabulary;
import org.bloomgate.core.key.AddressBlock;
import org.bloomgate.core.key.ContentDigest;
import org.bloomgate.core.key.DomainKeys;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.ShortLinks;
import org.bloomgate.core.key.UrlExpressions;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.Host;
import org.bloomgate.core.url.LinkUnwrapping;

/// Turns the links, addresses and domains found in one message into identifiers with their keys: each
/// identifier once for each place, and not at [Place#RAW] if it was a link before. A candidate that is not a
/// URL or address is ignored.
///
/// An exception while an identifier is made counts as the limit [Limit#FAULT] and loses only that identifier.
/// Not thread-safe; one object for each message.
public final class KeyExtractor {
    /// The number of targets of wrapped links in the whole message: the limit `unwrapped`.
    public static final int MAX_UNWRAPPED = 256;

    /// The longest URL that is read completely. The host of a longer one is always looked up, but links wrapped
    /// after this position are not found: the limit `urlBytes`.
    public static final int MAX_URL_CHARS = LinkUnwrapping.MAX_CHARS;

    /// The work for a candidate that was seen before.
    private static final int WORK_PER_CANDIDATE = 75;

    private static final int WORK_PER_NEW_CANDIDATE = 256;
    private static final int WORK_PER_CHAR = 4;

    /// The work that a message may do in addition for each identifier beyond the usual ones: a table of links has more
    /// of them for each byte than a text. [MessageLimits#identifiers] bounds it.
    private static final int WORK_PER_IDENTIFIER = 1_500;

    /// The identifiers for which the usual work is enough, and which a message may have however many messages come at
    /// a time.
    private static final int USUAL_IDENTIFIERS = 5_000;

    /// Heap for an identifier and the texts by which it is known, and for each character of its value.
    private static final int HEAP_PER_IDENTIFIER = 300;

    private static final int HEAP_PER_CHAR = 3;

    /// The heap beyond that of ordinary keys is taken in steps, so that several messages do not use it up before one
    /// of them is read whole: one step for 20,000 short links, three for as many with ten keys each.
    private static final int HEAP_STEP = 12 << 20;

    private static final String NAMESPACES = "http://www.w3.org/";

    /// The work for each character of a link that may contain other links, and of those.
    private static final int WORK_PER_UNWRAPPED_CHAR = 12;

    private final PublicSuffixes suffixes;
    private final Set<KeyKind> kinds;
    private final KeyBatch batch;
    private String phoneLocation = Place.PHONE.label();
    private final Allowance allowance;
    private final PictureCodes pictures;
    private final Optional<MessageWords> words;
    private final Optional<PhoneScan> phones;
    private final Optional<PhoneLink> phoneLinks;
    private final SeenTexts rawUrls = new SeenTexts();
    private final SeenTexts rawAddresses = new SeenTexts();
    private final SeenTexts canonical = new SeenTexts();
    private int unwrapped;
    private int markupDepth;
    private long urlCount;
    private int identifiers;
    private long heapOfIdentifiers;
    private long paidHeap;
    private boolean full;

    /// @param kinds that are looked up
    public KeyExtractor(PublicSuffixes suffixes, Set<KeyKind> kinds, KeyBatch batch, Allowance allowance) {
        this.suffixes = suffixes;
        this.kinds = kinds;
        this.batch = batch;
        this.allowance = allowance;
        this.pictures = new PictureCodes(this);
        this.words = wants(KeyKind.KEYWORD) ? Optional.of(new MessageWords(allowance)) : Optional.empty();
        this.phones = wants(KeyKind.PHONE) ? Optional.of(new PhoneScan(this)) : Optional.empty();
        this.phoneLinks = phones.map(scan -> new PhoneLink(this, scan));
    }

    PublicSuffixes suffixes() {
        return suffixes;
    }

    /// Whether keys of this kind are looked up, and so have to be made.
    public boolean wants(KeyKind kind) {
        return kinds.contains(kind);
    }

    public Allowance allowance() {
        return allowance;
    }

    /// The reader of codes in the pictures of the message.
    public PictureCodes pictures() {
        return pictures;
    }

    /// The number of URLs found so far, new or repeated, without names of XML vocabularies.
    long urlCount() {
        return urlCount;
    }

    /// Adds a URL, and the URLs that are wrapped in it.
    public void url(String raw, Place place, String where) {
        urlCount++;
        if (raw.length() > MAX_URL_CHARS) {
            allowance.reached(Limit.URL_BYTES);
        }
        if (isNew(rawUrls, place, raw)) {
            urls(raw, place, where);
        }
    }

    /// Adds a URL in a range of text. A repeated URL allocates nothing.
    void url(char[] text, int from, int to, Place place, String where) {
        urlCount += Vocabulary.startsWithIgnoringCase(text, from, to, NAMESPACES) ? 0 : 1;
        if (to - from > MAX_URL_CHARS) {
            allowance.reached(Limit.URL_BYTES);
        }
        Optional<String> raw = pay(to - from) ? rawUrls.add(place, text, from, to) : Optional.empty();
        if (raw.isPresent() && payAsNew(raw.get())) {
            urls(raw.get(), place, where);
        }
    }

    private void urls(String raw, Place place, String where) {
        LinkUnwrapping.Unwrapped within = unwrap(raw, makeUrl(raw, place, where));
        if (!allowance.spend(WORK_PER_UNWRAPPED_CHAR * within.looked())) {
            return;
        }
        if (within.cut()) {
            allowance.reached(Limit.UNWRAPPED);
        }
        for (String target : within.targets()) {
            unwrapped(target, place, where);
        }
        for (String markup : within.markup()) {
            readMarkup(markup, place);
        }
        for (String host : within.hosts()) {
            boolean www = host.regionMatches(true, 0, "www.", 0, 4);
            if (www || SchemelessHosts.startsWithHost(host, suffixes)) {
                Place weaker = place == Place.RAW ? place : Place.SCHEMELESS;
                unwrapped(host, www ? place : weaker, www || isField(where) ? where : weaker.label());
            }
        }
    }

    /// Reads markup that a link carries, to the depth of nested documents.
    private void readMarkup(String markup, Place place) {
        if (markupDepth == HtmlLinks.MAX_NESTING) {
            allowance.reached(Limit.NESTING);
        } else if (isNew(rawUrls, place, markup)) {
            markupDepth++;
            try {
                HtmlLinks.readValue(this, markup.toCharArray(), place);
            } finally {
                markupDepth--;
            }
        }
    }

    private static boolean isField(String where) {
        return where.indexOf(':') > 0;
    }

    private void unwrapped(String target, Place place, String where) {
        if (unwrapped == MAX_UNWRAPPED) {
            allowance.reached(Limit.UNWRAPPED);
            return;
        }
        unwrapped++;
        if (isNew(rawUrls, place, target)) {
            makeUrl(target, place, where);
        }
    }

    /// Adds the IP address of a hop.
    public void network(AddressBlock address, Place place, String where) {
        if (begin(KeyKind.NETWORK, address.address(), place, where)) {
            address.append(batch);
            end();
        }
    }

    public void url(String raw, Place place) {
        url(raw, place, place.label());
    }

    private LinkUnwrapping.Unwrapped unwrap(String link, Optional<CanonicalUrl> form) {
        try {
            return LinkUnwrapping.of(link, form);
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
            return LinkUnwrapping.Unwrapped.NOTHING;
        }
    }

    private void make(KeyKind kind, String raw, Place place, String where) {
        try {
            switch (kind) {
                case ADDRESS -> makeAddress(raw, place, where);
                case DOMAIN -> makeDomain(raw, place, where);
                default -> throw new IllegalArgumentException(kind.label());
            }
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
        }
    }

    /// Adds the URL; returns its canonical form, if it has one.
    private Optional<CanonicalUrl> makeUrl(String raw, Place place, String where) {
        try {
            Optional<CanonicalUrl> url = CanonicalUrl.parse(FileLocation.withHost(raw));
            if (phoneLinks.isPresent()) {
                phoneLinks
                        .get()
                        .read(raw, url.map(CanonicalUrl::scheme).orElse(raw).startsWith("http"));
            }
            if (url.isPresent() && begin(KeyKind.URL, url.get().text(), place, where)) {
                appendUrl(url.get());
            }
            return url;
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
            return Optional.empty();
        }
    }

    private void appendUrl(CanonicalUrl url) {
        UrlExpressions.append(url, suffixes, batch);
        end();
        if (ShortLinks.hides(url)) {
            begin(KeyKind.URL, url.text(), Place.UNKNOWN_TARGET, Place.UNKNOWN_TARGET.label());
        }
    }

    /// Adds a mail address, or all recipients of a `mailto:` link.
    public void address(String raw, Place place, String where) {
        int from = MailAddress.linkStart(raw);
        if (from > 0) {
            new MailtoLink(raw, this, place, where).read(from);
        } else {
            mailbox(raw, place, where);
        }
    }

    void mailbox(String raw, Place place, String where) {
        if (raw.length() > MailAddress.MAX_CHARS) {
            allowance.reached(Limit.ADDRESS_CHARS);
        }
        if (isNew(rawAddresses, place, raw)) {
            make(KeyKind.ADDRESS, raw, place, where);
        }
    }

    private void makeAddress(String raw, Place place, String where) {
        Optional<MailAddress> address = MailAddress.parse(raw);
        if (address.isPresent() && begin(KeyKind.ADDRESS, address.get().text(), place, where)) {
            if (!address.get().append(suffixes, batch)) {
                allowance.reached(Limit.REWRITES);
            }
            end();
        }
    }

    public void address(String raw, Place place) {
        address(raw, place, place.label());
    }

    /// Adds a domain, for example `d=` of a signature.
    public void domain(String raw, Place place, String where) {
        if (pay(raw.length())) {
            make(KeyKind.DOMAIN, raw, place, where);
        }
    }

    private void makeDomain(String raw, Place place, String where) {
        Optional<Host> host = Host.parse(raw);
        if (host.isPresent() && begin(KeyKind.DOMAIN, host.get().text(), place, where)) {
            DomainKeys.append(host.get(), suffixes, batch);
            end();
        }
    }

    /// Adds the SHA-256 of an attached file.
    public void file(byte[] digest) {
        String value = ContentDigest.key(digest).text();
        if (begin(KeyKind.HASH, value, Place.ATTACHMENT, Place.ATTACHMENT.label())) {
            batch.append(digest, 0, digest.length).endKey(KeyKind.HASH, true);
            end();
        }
    }

    /// Adds a phone number in canonical form.
    void phone(String number) {
        if (begin(KeyKind.PHONE, number, Place.PHONE, phoneLocation)) {
            byte[] bytes = KeyKind.PHONE.rules().bytes(number);
            batch.append(bytes, 0, bytes.length).endKey(KeyKind.PHONE, true);
            end();
        }
    }

    /// Adds the phone numbers in a text.
    ///
    /// @param where the location for a person if the text is a header field; otherwise empty
    void phones(TextBuffer text, String where) {
        phoneLocation = where.isEmpty() ? Place.PHONE.label() : where;
        try {
            phones.ifPresent(scan -> scan.read(text));
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
        } finally {
            phoneLocation = Place.PHONE.label();
        }
    }

    /// Adds the phone numbers in the text of a code, which a camera may call.
    void phoneCode(String text) {
        try {
            phoneLinks.ifPresent(link -> link.read(text, false));
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
        }
    }

    /// Adds the words of a text that a reader sees.
    public void visibleText(CharSequence text) {
        try {
            words.ifPresent(all -> all.read(text));
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
        }
    }

    /// Appends the identifier that is complete only now: the words of the whole message.
    public void endOfMessage() {
        try {
            words.ifPresent(all -> all.append(batch));
        } catch (RuntimeException | StackOverflowError thrown) {
            allowance.fault(thrown);
        }
        end();
    }

    /// Whether nothing more can be added, because the allowance is used up or the batch is full.
    boolean ended() {
        return full || allowance.exhausted();
    }

    /// Spends the work for a candidate; false if no more candidates may be read.
    boolean pay(int chars) {
        return !full && allowance.spend(WORK_PER_CANDIDATE + (long) chars);
    }

    /// Whether the text is new at this place and its work can be spent.
    private boolean isNew(SeenTexts seen, Place place, String raw) {
        return pay(raw.length()) && seen.add(place, raw) && payAsNew(raw);
    }

    private boolean payAsNew(String raw) {
        return allowance.spend(WORK_PER_NEW_CANDIDATE + (long) WORK_PER_CHAR * raw.length());
    }

    private boolean begin(KeyKind kind, String value, Place place, String where) {
        boolean isLink = place == Place.RAW && canonical.contains(Place.LINK, value);
        if (isLink || !canonical.add(place, value)) {
            return false;
        }
        if (identifiers == allowance.limits().identifiers()) {
            allowance.reached(Limit.IDENTIFIERS);
            full = true;
        } else {
            full = !hasHeap(value);
        }
        if (full) {
            return false;
        }
        identifiers++;
        allowance.grantWork(identifiers > USUAL_IDENTIFIERS ? WORK_PER_IDENTIFIER : 0);
        batch.begin(new Identifier(kind, value, place, where));
        return true;
    }

    /// Takes heap for another identifier; the message uses it until its keys are cleared.
    private boolean hasHeap(String value) {
        heapOfIdentifiers += HEAP_PER_IDENTIFIER + (long) HEAP_PER_CHAR * value.length();
        long heap = heapOfIdentifiers + batch.heapBytes();
        if (identifiers < USUAL_IDENTIFIERS && batch.isOrdinary()) {
            paidHeap = heap;
        } else if (heap > paidHeap) {
            long step = Math.max(HEAP_STEP, heap - paidHeap);
            if (!allowance.keepHeap(Limit.KEYS, step)) {
                return false;
            }
            paidHeap += step;
        }
        return true;
    }

    private void end() {
        if (batch.overflowed()) {
            allowance.reached(Limit.KEYS);
            full = true;
        }
    }
}
