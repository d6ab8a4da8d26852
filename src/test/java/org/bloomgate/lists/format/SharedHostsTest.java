package org.bloomgate.lists.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.bloomgate.RecordCopy;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which hosts are shared, and which listings that holds back.
class SharedHostsTest {
    private static final SharedHosts SHIPPED = SharedHosts.shipped();
    private static final SharedHosts OWN = SharedHosts.with(new SharedHosts.Own(
            List.of("paths.example", "deep.tenants.test", "files-%.region.example"),
            List.of("tenants.test", "s3.*.store.test", "sites.paths.example")));

    @ParameterizedTest
    @CsvSource({
        "DOMAIN, paths.example,             true",
        "DOMAIN, a.paths.example,           true",
        "DOMAIN, a.b.paths.example,         true",
        "DOMAIN, xpaths.example,            false",
        "DOMAIN, region.example,            true",
        "DOMAIN, files-12.region.example,   true",
        "DOMAIN, files-x.region.example,    false",
        "DOMAIN, files-.region.example,     false",
        "DOMAIN, tenants.test,              true",
        "DOMAIN, shop.tenants.test,         false",
        "DOMAIN, a.shop.tenants.test,       false",
        "DOMAIN, deep.tenants.test,         true",
        "DOMAIN, a.deep.tenants.test,       true",
        "DOMAIN, sites.paths.example,       true",
        "DOMAIN, user.sites.paths.example,  false",
        "DOMAIN, s3.eu-1.store.test,        true",
        "DOMAIN, eu-1.store.test,           true",
        "DOMAIN, store.test,                true",
        "DOMAIN, bucket.s3.eu-1.store.test, false",
        "DOMAIN, s4.eu-1.store.test,        false",
        "DOMAIN, s3.a.b.store.test,         false",
        "DOMAIN, [2001:db8::1],             false",
        "DOMAIN, 192.0.2.1,                 false",
        "URL,    paths.example/,            true",
        "URL,    paths.example/evil,        false",
        "URL,    paths.example/?id=1,       false",
        "URL,    tenants.test/,             true",
        "URL,    shop.tenants.test/,        false",
        "ADDRESS, somebody@paths.example,   false"
    })
    void keyIsHeldWhenItWouldListStrangers(KeyKind kind, String text, boolean held) {
        assertEquals(held, OWN.sharedHost(new Key(kind, text)).isPresent(), text);
    }

    @Test
    void reasonNamesTheSharedHost() {
        assertEquals(Optional.of("s3.*.store.test"), OWN.sharedHost(new Key(KeyKind.DOMAIN, "store.test")));
        assertEquals(Optional.of("paths.example"), OWN.sharedHost(new Key(KeyKind.DOMAIN, "x.paths.example")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3.amazonaws.com",
                "s3-eu-west-1.amazonaws.com",
                "s3.eu-central-1.amazonaws.com",
                "s3.dualstack.us-east-1.amazonaws.com",
                "s3-website-us-east-1.amazonaws.com",
                "s3-website.eu-west-3.amazonaws.com",
                "s3.cn-north-1.amazonaws.com.cn",
                "amazonaws.com",
                "storage.googleapis.com",
                "firebasestorage.googleapis.com",
                "googleapis.com",
                "blob.core.windows.net",
                "z13.web.core.windows.net",
                "core.windows.net",
                "nyc3.digitaloceanspaces.com",
                "digitaloceanspaces.com",
                "r2.dev",
                "r2.cloudflarestorage.com",
                "f005.backblazeb2.com",
                "s3.us-west-004.backblazeb2.com",
                "objectstorage.eu-frankfurt-1.oraclecloud.com",
                "oss-cn-hangzhou.aliyuncs.com",
                "cos.ap-guangzhou.myqcloud.com",
                "obs.cn-north-4.myhuaweicloud.com",
                "storage.yandexcloud.net",
                "s3.fr-par.scw.cloud",
                "s3.eu-central-1.wasabisys.com",
                "eu-central-1.linodeobjects.com",
                "s3.eu-de.cloud-object-storage.appdomain.cloud",
                "ewr1.vultrobjects.com",
                "docs.google.com",
                "forms.gle",
                "bit.ly",
                "t.co",
                "ct.sendgrid.net",
                "u1234.ct.sendgrid.net",
                "list-manage.com",
                "us2.list-manage.com",
                "hubspotlinks.com",
                "trk.klclick.com",
                "linktr.ee",
                "gmail.com",
                "github.io",
                "web.app",
                "pages.dev",
                "duckdns.org",
                "wixsite.com",
                "sharepoint.com",
                "cloudfront.net",
                "a.run.app"
            })
    void wellKnownSharedHostsAreHeld(String host) {
        assertTrue(SHIPPED.isShared(host), host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bucket.s3.amazonaws.com",
                "bucket.s3.eu-central-1.amazonaws.com",
                "bucket.storage.googleapis.com",
                "account.blob.core.windows.net",
                "site.z13.web.core.windows.net",
                "bucket.nyc3.digitaloceanspaces.com",
                "pub-0123.r2.dev",
                "user.github.io",
                "site.web.app",
                "site.pages.dev",
                "host.duckdns.org",
                "user.wixsite.com",
                "tenant.sharepoint.com",
                "d123.cloudfront.net",
                "app-xyz-uc.a.run.app",
                "shop.example"
            })
    void nameOfOneCustomerIsNot(String host) {
        assertFalse(SHIPPED.isShared(host), host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "example", "*.example", "a.*.example", "a b.test", "192.0.2.1", "a/b.test", "a.t*st"})
    void whatIsNoHostIsRefusedWithTheConfiguration(String text) {
        assertThrows(IllegalArgumentException.class, () -> new SharedHosts.Own(List.of(text), List.of()));
        assertThrows(IllegalArgumentException.class, () -> new SharedHosts.Own(List.of(), List.of(text)));
    }

    @Test
    void trustedFeedListsThemAllTheSame() throws Exception {
        EntryGates gates = new EntryGates(AllowList.of(List.of()), OWN);
        Feed feed = Feed.of("list", KeyKind.DOMAIN, FeedFormat.LINES, "list.txt");
        Key key = new Key(KeyKind.DOMAIN, "tenants.test");
        assertEquals(
                Optional.of("would list tenants.test, a host that strangers share"), gates.findHoldReason(feed, key));
        assertEquals(Optional.empty(), gates.findHoldReason(RecordCopy.with(feed, "trusted", true), key));
    }
}
