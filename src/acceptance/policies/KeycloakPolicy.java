import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.ServiceLoader;
import org.keycloak.Config;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.PasswordPolicy;
import org.keycloak.models.RealmModel;
import org.keycloak.policy.PasswordPolicyProvider;
import org.keycloak.policy.PasswordPolicyProviderFactory;
import org.keycloak.policy.PolicyError;

/**
 * Validates each password after the URL and the mode, as a server with this policy in its realm: its message, or accepted. As
 * there, a realm has no policy while the policy is parsed.
 */
public class KeycloakPolicy {
    private static PasswordPolicy policy;

    public static void main(String[] arguments) {
        PasswordPolicyProviderFactory factory = ServiceLoader.load(PasswordPolicyProviderFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(one -> one.getId().equals("bloomgate"))
                .findFirst()
                .orElseThrow();
        factory.init(of(Config.Scope.class, Map.of("get", arguments[0])));
        RealmModel realm = realm();
        KeycloakContext context = of(KeycloakContext.class, Map.of("getRealm", realm));
        KeycloakSession session = (KeycloakSession) Proxy.newProxyInstance(
                KeycloakPolicy.class.getClassLoader(), new Class<?>[] {KeycloakSession.class}, (proxy, method, values) ->
                        method.getName().equals("getContext") ? context : factory.create((KeycloakSession) proxy));
        policy = PasswordPolicy.parse(session, "bloomgate(" + arguments[1] + ")");
        PasswordPolicyProvider configured = factory.create(session);
        for (int i = 2; i < arguments.length; i++) {
            PolicyError error = configured.validate("user", arguments[i]);
            System.out.println(error == null ? "accepted" : error.getMessage());
        }
        factory.close();
    }

    private static RealmModel realm() {
        return (RealmModel) Proxy.newProxyInstance(
                KeycloakPolicy.class.getClassLoader(), new Class<?>[] {RealmModel.class}, (proxy, method, values) -> {
                    if (policy == null) {
                        throw new IllegalStateException("the policy is being parsed");
                    }
                    return policy;
                });
    }

    /** An object of which some methods have a fixed result; the others return the last of their arguments. */
    private static <T> T of(Class<T> type, Map<String, Object> results) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, values) -> {
            boolean isUrl = values == null || values[0].equals("url");
            return isUrl ? results.get(method.getName()) : values[values.length - 1];
        }));
    }
}
