package org.bloomgate.server.api;

import java.util.List;
import java.util.function.Supplier;
import org.bloomgate.base.config.Setting;
import org.bloomgate.server.http.Answer;
import org.bloomgate.server.http.AnswerJson;
import org.bloomgate.server.http.EntityTag;
import org.bloomgate.server.http.Request;
import org.bloomgate.server.http.Resource;
import org.bloomgate.server.http.Role;
import org.bloomgate.server.http.Route;

/// `GET /v1/configuration`: every key with its value, those that differ from their default first. For the role reader.
final class ConfigurationResource implements Resource {
    private final Supplier<List<Setting>> settings;

    ConfigurationResource(Supplier<List<Setting>> settings) {
        this.settings = settings;
    }

    record Settings(List<Setting> settings) {}

    @Override
    public Route route() {
        return Route.get("/v1/configuration", Role.READER).with();
    }

    @Override
    public Answer answer(Request request) {
        return EntityTag.answer(request, AnswerJson.bytes(new Settings(settings.get())));
    }
}
