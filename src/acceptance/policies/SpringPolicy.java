import java.io.IOException;
import org.springframework.http.HttpStatusCode;
import org.springframework.security.web.authentication.password.HaveIBeenPwnedRestApiPasswordChecker;
import org.springframework.web.client.RestClient;

/** Asks for each password after the URL and the mode: compromised, accepted, or failed for one that could not be looked up. */
public class SpringPolicy {
    public static void main(String[] arguments) {
        RestClient.Builder client = RestClient.builder().baseUrl(arguments[0] + "/range/");
        HaveIBeenPwnedRestApiPasswordChecker checker = new HaveIBeenPwnedRestApiPasswordChecker();
        checker.setRestClient(arguments[1].equals("closed") ? closed(client) : client.build());
        for (int i = 2; i < arguments.length; i++) {
            System.out.println(answer(checker, arguments[i]));
        }
    }

    private static RestClient closed(RestClient.Builder client) {
        return client.requestInterceptor((request, body, execution) -> {
                    try {
                        return execution.execute(request, body);
                    } catch (IOException e) {
                        throw new IllegalStateException("passwords cannot be checked", e);
                    }
                })
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {
                    throw new IllegalStateException("passwords cannot be checked: " + response.getStatusCode());
                })
                .build();
    }

    private static String answer(HaveIBeenPwnedRestApiPasswordChecker checker, String password) {
        try {
            return checker.check(password).isCompromised() ? "compromised" : "accepted";
        } catch (IllegalStateException e) {
            return "failed";
        }
    }
}
